#ifndef KB_PAGES_ASSETS_H
#define KB_PAGES_ASSETS_H

#include <stddef.h>

/* The files of this room that are not C, built in by asset_bytes.S. */
struct kb_asset {
	const char *data;	/* static */
	size_t len;
};

struct kb_asset kb_asset_page_style(void);	/* page.css */
struct kb_asset kb_asset_chart_style(void);	/* chart.css */
struct kb_asset kb_asset_script(void);		/* page.js */

#endif
