#ifndef KB_SHEET_HARDWARE_H
#define KB_SHEET_HARDWARE_H

struct kb_buf;
struct kb_conditions;
struct kb_json;

/*
 * The facts about the machine that other tools ask for, from records. Facts
 * that were not recorded are never made up.
 */

/* A fact of the environment that is a string, else NULL. Borrowed. */
const char *kb_environment_text(const struct kb_json *environment,
				const char *section, const char *fact);

/* The GPU's name, or the CPU's model where the device is that; "unknown" if
 * it was not recorded. Borrowed. */
const char *kb_hardware_name(const struct kb_json *environment);

/* "cuda:0" as the stage was told, else the device's kind. Borrowed. */
const char *kb_device_name(const struct kb_conditions *c);

/* Append the software that times depend on, "driver 580.65, torch 2.9.0", as
 * far as it was recorded, or "not recorded". */
void kb_stack_print(struct kb_buf *out, const struct kb_json *environment);

/*
 * Append `text` fit for one part of a path: letters, digits and "._-" stay,
 * whatever else is before one of them becomes one '_', and so does a full stop
 * at the beginning: "NVIDIA H100 80GB HBM3" is NVIDIA_H100_80GB_HBM3. Never
 * empty; cut at KB_PATH_WORD_BYTES_MAX.
 */
#define KB_PATH_WORD_BYTES_MAX 100
void kb_path_word_print(struct kb_buf *out, const char *text);

#endif
