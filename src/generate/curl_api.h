#ifndef KB_GENERATE_CURL_API_H
#define KB_GENERATE_CURL_API_H

/*
 * libcurl, as far as it is used here. It is loaded when it is wanted, like the
 * CUDA driver, so that the same programs build and run without it: what asks no
 * server needs none. Numbers and signatures are those of its ABI 4, which is
 * older than any release that we meet and has not changed.
 */
struct kb_err;

enum kb_curl_option {
	KB_CURL_WRITEDATA = 10001,
	KB_CURL_URL = 10002,
	KB_CURL_PROXY = 10004,
	KB_CURL_POSTFIELDS = 10015,
	KB_CURL_HTTPHEADER = 10023,
	KB_CURL_HEADERDATA = 10029,
	KB_CURL_PRIVATE = 10103,
	KB_CURL_UNIX_SOCKET_PATH = 10231,
	KB_CURL_WRITEFUNCTION = 20011,
	KB_CURL_HEADERFUNCTION = 20079,
	KB_CURL_POSTFIELDSIZE_LARGE = 30120,
	KB_CURL_NOSIGNAL = 99,
	KB_CURL_TIMEOUT_MS = 155,
	KB_CURL_CONNECTTIMEOUT_MS = 156,
	KB_CURL_PROTOCOLS = 181,	/* a mask */
};

#define KB_CURL_PROTO_HTTP 1L
#define KB_CURL_PROTO_HTTPS 2L

enum kb_curl_info {
	KB_CURL_INFO_PRIVATE = 0x100015,
	KB_CURL_INFO_RESPONSE_CODE = 0x200002,
	KB_CURL_INFO_RETRY_AFTER = 0x600039,	/* seconds */
};

#define KB_CURL_MSG_DONE 1

struct kb_curl_msg {
	int msg;
	void *easy;
	union {
		void *whatever;
		int result;
	} data;
};

struct kb_curl_api {
	int (*global_init)(long flags);
	void *(*easy_init)(void);
	void (*easy_cleanup)(void *easy);
	int (*easy_setopt)(void *easy, int option, ...);
	int (*easy_getinfo)(void *easy, int info, ...);
	const char *(*easy_strerror)(int code);
	void *(*multi_init)(void);
	int (*multi_cleanup)(void *multi);
	int (*multi_add_handle)(void *multi, void *easy);
	int (*multi_remove_handle)(void *multi, void *easy);
	int (*multi_perform)(void *multi, int *running);
	int (*multi_poll)(void *multi, void *extra, unsigned int extra_count,
			  int timeout_ms, int *ready);
	struct kb_curl_msg *(*multi_info_read)(void *multi, int *left);
	void *(*slist_append)(void *list, const char *text);
	void (*slist_free_all)(void *list);
};

/* The library's functions, loaded once and kept. Fails with KB_ERR_MISSING if
 * it is not there or too old: 7.66 is the first that has all of them. */
int kb_curl_api(const struct kb_curl_api **out, struct kb_err *err);

#endif
