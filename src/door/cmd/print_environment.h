#ifndef KB_CMD_PRINT_ENVIRONMENT_H
#define KB_CMD_PRINT_ENVIRONMENT_H

struct kb_buf;
struct kb_json;

/*
 * Append an environment for people to read, a line for each fact:
 *
 *	* gpu.name:    NVIDIA H200
 *	  gpu.serial:  unavailable: 'nvmlDeviceGetSerial' fails: ...
 *
 * with a star before what the match key is made of, a blank line between
 * sections, and in the end the fields of the match key that the environment
 * does not have. A value's further lines stand below its first one. Both
 * are as a record holds them: the environment has passed
 * kb_environment_check(), the match key is a flat object of strings.
 */
void kb_print_environment(struct kb_buf *out,
			  const struct kb_json *environment,
			  const struct kb_json *match_key);

#endif
