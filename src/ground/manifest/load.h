#ifndef KB_MANIFEST_LOAD_H
#define KB_MANIFEST_LOAD_H

#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/record.h"

/*
 * Definitions of functions that load a record from its bundle, alike for all
 * kinds: from struct kb_<kind>, kb_<kind>_from_json() and, which is called for
 * what is loaded if what belongs to it fails, kb_<kind>_release().
 */

/* kb_<kind>_load_record(): the record alone. */
#define KB_DEFINE_LOAD_RECORD(kind)					\
int kb_##kind##_load_record(struct kb_##kind *out,			\
			    const struct kb_bundle *b,			\
			    struct kb_err *err)				\
{									\
	kb_auto(json) struct kb_json *record = NULL;			\
	int ret = kb_record_load(&record, b, err);			\
									\
	return ret < 0 ? ret : kb_##kind##_from_json(out, record,	\
						     KB_BUNDLE_RECORD,	\
						     err);		\
}

/* kb_<kind>_load(): the record, and what belongs to it by
 * `int rest(struct kb_<kind> *, const struct kb_bundle *, struct kb_err *)`. */
#define KB_DEFINE_LOAD(kind, rest)					\
int kb_##kind##_load(struct kb_##kind *out, const struct kb_bundle *b,	\
		     struct kb_err *err)				\
{									\
	kb_auto(json) struct kb_json *record = NULL;			\
	int ret = kb_record_load(&record, b, err);			\
									\
	if (ret == 0)							\
		ret = kb_##kind##_from_json(out, record,		\
					    KB_BUNDLE_RECORD, err);	\
	if (ret < 0)							\
		return ret;						\
	ret = rest(out, b, err);					\
	if (ret < 0)							\
		kb_##kind##_release(out);				\
	return ret;							\
}

/* kb_<kind>_load_id(): the same of a bundle of the store. */
#define KB_DEFINE_LOAD_ID(kind)						\
int kb_##kind##_load_id(struct kb_##kind *out, const char *store,	\
			const struct kb_digest *id, struct kb_err *err)	\
{									\
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;		\
	int ret = kb_store_open_id(&b, store, id, err);			\
									\
	return ret < 0 ? ret : kb_##kind##_load(out, &b, err);		\
}

#endif
