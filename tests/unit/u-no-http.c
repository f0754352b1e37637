/* The file that a build without libcurl has, compiled into the test. */
#include "asking/no_http.c"

#include <string.h>

#include "lib/tap.h"

static void test_a_server_is_refused_with_what_to_do_instead(void)
{
	struct kb_http_address address = { .server = "unix:/run/llm.sock" };
	struct kb_http *http = NULL;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_http_new(&http, &address, &err), -KB_ERR_MISSING);
	check(strstr(err.msg, "built without libcurl"));
	check(strstr(err.msg, "kb-generate take"));
	check(!http);
	kb_http_free(http);
}

TAP_MAIN(
	TAP(test_a_server_is_refused_with_what_to_do_instead),
);
