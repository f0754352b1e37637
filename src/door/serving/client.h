#ifndef KB_SERVING_CLIENT_H
#define KB_SERVING_CLIENT_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/buf.h"

struct kb_err;

/*
 * Whoever asks over a stream, line by line: standard input and output, or a
 * connection to a Unix socket. Nothing here blocks, and no client costs more than
 * a line that is not whole, and answers that it has not read.
 */
struct kb_client {
	int in_fd, out_fd;		/* owned; one, if it is a socket */
	struct kb_buf in, out;
	size_t in_at;			/* where the next line begins */
	size_t waiting;			/* requests without an answer */
	bool is_skipping;		/* what is left of a line that was too long */
	bool at_end;			/* nothing more comes */
	bool is_gone;			/* nobody reads answers */
	int why_gone;			/* errno of a failed write, or 0 */
};

/* A client that does not read its answers is not read either. */
#define KB_CLIENT_OUT_BYTES_MAX ((size_t)256 * 1024)

/* Owns the descriptors. The caller frees. */
struct kb_client *kb_client_new(int in_fd, int out_fd);
void kb_client_free(struct kb_client *c);

/* The descriptors to wait for: `wants` more lines or not. Returns how many. */
size_t kb_client_watch(const struct kb_client *c, struct pollfd fds[2],
		       bool wants);

/* Read and write what can be without waiting. */
void kb_client_move(struct kb_client *c, bool wants);

/* The next line, without its end: borrowed until the next call for this client. Of a
 * line that is longer than KB_REQUEST_LINE_BYTES_MAX it is the beginning, which is
 * longer, too, and the rest is dropped. Returns false if there is none yet. A last
 * line needs no line feed. */
bool kb_client_line(struct kb_client *c, const char **line, size_t *len);

/* Is there a line, as far as is known without reading? */
bool kb_client_has_line(const struct kb_client *c);

/* A Unix socket at `path`, which is its owner's alone; one that a dead server left
 * is replaced. `as` is the new file. Returns a descriptor, or fails with KB_ERR_SYS,
 * KB_ERR_INPUT. */
int kb_socket_listen(const char *path, struct stat *as, struct kb_err *err);

/* Remove it, while the descriptor is open, unless another file took its place. */
void kb_socket_remove(const char *path, const struct stat *as);

/* A connection of our own user, or root's; -1 if there is none. */
int kb_socket_accept(int fd);

#endif
