#include "session/like.h"

#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "manifest/like.h"
#include "session/options.h"

static const struct kb_option *find_option(const struct kb_option options[],
					   const char *name)
{
	for (const struct kb_option *o = options; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

static int take_setting(const struct kb_like *like,
			const struct kb_like_setting *s,
			const struct kb_option *option, struct kb_err *err)
{
	const char **value = option->value;

	if (!*value)
		*value = s->value;
	if (!strcmp(*value, s->value))
		return 0;
	return kb_err(err, KB_ERR_USAGE, "--like %s needs --%s %s, not '%s'",
		      like->name, s->option, s->value, *value);
}

static int take_settings(const struct kb_like *like,
			 const struct kb_session_options *o,
			 const struct kb_option options[], struct kb_err *err)
{
	const bool is_cuda = strcmp(o->device, "cpu");
	int ret = 0;

	for (const struct kb_like_setting *s = like->settings;
	     s->option && ret == 0; s++) {
		const struct kb_option *option = find_option(options,
							     s->option);

		if (option && (is_cuda || !s->on_cuda))
			ret = take_setting(like, s, option, err);
	}
	return ret;
}

int kb_session_take_like(struct kb_session_options *o,
			 const struct kb_option options[], struct kb_err *err)
{
	int ret = 0;

	if (o->like)
		ret = kb_option_check_word("like", o->like, kb_like_names, err);
	if (ret == 0 && o->like)
		ret = take_settings(kb_like_find(o->like), o, options, err);
	if (!o->tf32)
		o->tf32 = "off";
	o->precision_is_asked = o->precision;
	if (!o->precision)
		o->precision = "fp32";
	if (!o->in_place)
		o->in_place = "refuse";
	if (!o->candidate_weights)
		o->candidate_weights = "reference";
	return ret;
}
