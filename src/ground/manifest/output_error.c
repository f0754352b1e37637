#include "manifest/output_error.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

double kb_output_error_rms(const struct kb_output_error *o)
{
	return o->nan ? -1 : o->rms_error;
}

struct kb_json *kb_output_errors_to_json(const struct kb_output_error *list,
					 size_t count)
{
	struct kb_json *array;

	if (count == 0)
		return kb_json_null();
	array = kb_json_array();
	for (size_t i = 0; i < count; i++) {
		const struct kb_output_error *o = &list[i];
		struct kb_json *v = kb_json_object();

		kb_json_set_int(v, "elements", o->elements);
		kb_json_set_int(v, "mismatched", o->mismatched);
		kb_json_set_int(v, "nan", o->nan);
		kb_put_decimal(v, "max_abs_error", o->max_abs_error);
		kb_put_decimal(v, "max_rel_error", o->max_rel_error);
		kb_put_decimal(v, "rms_error", o->rms_error);
		kb_json_append(array, v);
	}
	return array;
}

static int output_from_json(struct kb_output_error *o,
			    const struct kb_json *v, const char *where,
			    struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	o->elements = kb_fields_int(&f, "elements", 0, KB_JSON_INT_MAX);
	o->mismatched = kb_fields_int(&f, "mismatched", 0, o->elements);
	o->nan = kb_fields_int(&f, "nan", 0, o->elements);
	o->max_abs_error = kb_fields_decimal(&f, "max_abs_error");
	o->max_rel_error = kb_fields_decimal(&f, "max_rel_error");
	o->rms_error = kb_fields_decimal(&f, "rms_error");
	return kb_fields_end(&f);
}

struct kb_output_error *kb_output_errors_read(struct kb_fields *f,
					      size_t *count)
{
	const struct kb_json *array = kb_fields_null(f, "outputs")
					      ? NULL
					      : kb_fields_array(f, "outputs");
	struct kb_output_error *list;

	*count = 0;
	if (!array)
		return NULL;
	if (kb_json_count(array) == 0)
		kb_fields_fail(f, "'outputs' is empty");
	list = kb_xcalloc(kb_json_count(array), sizeof(*list));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v))
		f->ret = output_from_json(&list[(*count)++], v, f->where,
					  f->err);
	return list;
}
