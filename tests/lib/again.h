#ifndef KB_TESTS_AGAIN_H
#define KB_TESTS_AGAIN_H

/*
 * What ask-again.c says to again.c, in one message of a SOCK_SEQPACKET socket: the
 * number of arguments, the first of which is the program's name; these; the
 * environment, which is not empty; each a string with its NUL; and descriptors, of
 * the standard ones and of the working directory. The answer is a byte, the exit
 * status.
 */
#define AGAIN_FDS 4
#define AGAIN_BYTES_MAX (128 * 1024)

#endif
