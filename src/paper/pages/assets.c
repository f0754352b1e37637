#include "pages/assets.h"

/* In asset_bytes.S. */
extern const char kb_page_css[], kb_page_css_end[];
extern const char kb_chart_css[], kb_chart_css_end[];
extern const char kb_page_js[], kb_page_js_end[];

static struct kb_asset asset_between(const char *begin, const char *end)
{
	return (struct kb_asset){ begin, (size_t)(end - begin) };
}

struct kb_asset kb_asset_page_style(void)
{
	return asset_between(kb_page_css, kb_page_css_end);
}

struct kb_asset kb_asset_chart_style(void)
{
	return asset_between(kb_chart_css, kb_chart_css_end);
}

struct kb_asset kb_asset_script(void)
{
	return asset_between(kb_page_js, kb_page_js_end);
}
