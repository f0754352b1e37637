#ifndef KB_PROMPTS_HARDWARE_H
#define KB_PROMPTS_HARDWARE_H

struct kb_json;

/* A prompt's description of the machine that will time the candidates. */
struct kb_hardware {
	char *name;			/* "NVIDIA H200" */
	char *architecture;
	char *specs;			/* lines "- ...", joined by LF */
};

#define KB_HARDWARE_INIT { .name = 0 }

/* From the environment of a baseline: its GPU, or else its CPU. Facts that the
 * environment lacks are left out. Release with kb_hardware_release(). */
void kb_hardware_of_environment(struct kb_hardware *h,
				const struct kb_json *environment);
void kb_hardware_release(struct kb_hardware *h);

static inline void kb_cleanup_hardware(struct kb_hardware *h)
{
	kb_hardware_release(h);
}

#endif
