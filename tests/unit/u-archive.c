#include "store/archive.h"

#include "base/err.h"
#include "lib/tap.h"
#include "lib/tarball.h"
#include "lib/tiny.h"
#include "store/bundle.h"
#include "store/gunzip.h"

static void pack_tiny(const char *path)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;

	tiny_make("tiny");
	if (kb_bundle_open(&b, "tiny", &err) == 0)
		kb_archive_write(&b, path, &err);
	check_str(err.msg, "");
}

static void test_archive_is_the_same_bundle(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	pack_tiny("tiny.tar.gz");
	kb_bundle_open(&b, "tiny.tar.gz", &err);
	check_str(err.msg, "");
	kb_digest_format(&b.id, hex);
	check_str(hex, TINY_ID);
	check_int(kb_bundle_read(&out, &b, "data/a/one.txt", 100, NULL), 0);
	check_str(out.data, TINY_ONE);
	scratch_leave();
}

static void test_scratch_directory_goes_with_the_bundle(void)
{
	struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mem) char *scratch = NULL;

	scratch_enter();
	pack_tiny("tiny.tar.gz");
	check_int(kb_bundle_open(&b, "tiny.tar.gz", NULL), 0);
	scratch = kb_xstrdup(b.scratch);
	check_int(access(scratch, F_OK), 0);
	kb_bundle_release(&b);
	check_int(access(scratch, F_OK), -1);
	scratch_leave();
}

static void test_writing_twice_gives_the_same_bytes(void)
{
	kb_auto(buf) struct kb_buf first = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf second = KB_BUF_INIT;

	scratch_enter();
	pack_tiny("1.tar.gz");
	scratch_remove("tiny");
	pack_tiny("2.tar.gz");
	scratch_read(&first, "1.tar.gz");
	scratch_read(&second, "2.tar.gz");
	check_int(first.len, second.len);
	check(first.len == second.len &&
	      !memcmp(first.data, second.data, first.len));
	check(!memcmp(first.data, KB_GZIP_HEADER, sizeof(KB_GZIP_HEADER) - 1));
	scratch_leave();
}

/* Names and modes of a tar stream, one line each. */
static void list_headers(struct kb_buf *out, const struct kb_buf *tar)
{
	for (size_t at = 0; at + TAR_BLOCK_BYTES <= tar->len;) {
		struct tar_header h;
		size_t size;

		memcpy(&h, tar->data + at, sizeof(h));
		if (!h.magic[0])
			return;
		size = strtoul(h.size, NULL, 8);
		kb_buf_addf(out, "%c %.6s %s/%.100s\n", h.typeflag, h.mode,
			    strcmp(h.prefix, TINY_ID) ? h.prefix : "ID",
			    h.name);
		at += sizeof(h) + (size + 511) / 512 * 512;
	}
}

static void test_archive_holds_the_manifest_before_the_members(void)
{
	kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf tar = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;
	kb_auto(gunzip) struct kb_gunzip *g = NULL;
	int n;

	scratch_enter();
	pack_tiny("tiny.tar.gz");
	scratch_read(&gz, "tiny.tar.gz");
	kb_gunzip_new_bytes(&g, gz.data, gz.len, "tiny.tar.gz");
	while ((n = kb_gunzip_read(g, kb_buf_reserve(&tar, 4096), 4096,
				   NULL)) > 0)
		tar.len += (size_t)n;
	check_int(n, 0);
	list_headers(&list, &tar);
	check_str(list.data,
		  "5 000755 /" TINY_ID "/\n"
		  "0 000444 /" TINY_ID "/bagit.txt\n"
		  "0 000444 /" TINY_ID "/manifest-sha256.txt\n"
		  "5 000755 /" TINY_ID "/data/\n"
		  "5 000755 /" TINY_ID "/data/a/\n"
		  "0 000444 /" TINY_ID "/data/a/empty\n"
		  "0 000444 /" TINY_ID "/data/a/one.txt\n"
		  "0 000444 /" TINY_ID "/data/manifest.json\n");
	scratch_leave();
}

static void test_longest_name_survives(void)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(bundle) struct kb_bundle again = KB_BUNDLE_INIT;
	char name[KB_BUNDLE_NAME_BYTES_MAX + 1] = "data/";
	char path[sizeof("store/") + KB_DIGEST_HEX_SIZE] = "store/";
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	memset(name + 5, 'd', 85);
	name[90] = '/';
	memset(name + 91, 'f', 100);
	check_int(kb_bundle_writer_new(&w, "store", &err), 0);
	check_int(kb_bundle_writer_add(w, name, "x", 1, &err), 0);
	check_int(kb_bundle_writer_commit(w, &id, &err), 0);
	kb_digest_format(&id, path + strlen(path));

	check_int(kb_bundle_open(&b, path, &err), 0);
	check_int(kb_archive_write(&b, "x.tar.gz", &err), 0);
	check_int(kb_bundle_open(&again, "x.tar.gz", &err), 0);
	check_str(err.msg, "");
	check(kb_digest_equal(&again.id, &id));
	scratch_leave();
}

static void test_archive_that_would_be_refused_is_not_written(void)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	char path[sizeof("store/") + KB_DIGEST_HEX_SIZE] = "store/";
	size_t len = 64 << 20;
	kb_auto(mem) char *zeros = kb_xcalloc(1, len);
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(kb_bundle_writer_new(&w, "store", &err), 0);
	check_int(kb_bundle_writer_add(w, "data/zeros", zeros, len, &err), 0);
	check_int(kb_bundle_writer_commit(w, &id, &err), 0);
	kb_digest_format(&id, path + strlen(path));
	check_int(kb_bundle_open(&b, path, &err), 0);

	check_int(kb_archive_write(&b, "x.tar.gz", &err), -KB_ERR_INPUT);
	check(strstr(err.msg, ": would unpack to more than 200 times its size"));
	check_int(access("x.tar.gz", F_OK), -1);
	scratch_leave();
}

static void test_changed_member_is_not_archived(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	tiny_make("tiny");
	check_int(kb_bundle_open(&b, "tiny", NULL), 0);
	scratch_print("tiny/data/a/one.txt", "One\n");
	check_int(kb_archive_write(&b, "x.tar.gz", &err), -KB_ERR_CORRUPT);
	check_str(err.msg,
		  "cannot archive bundle 'tiny': 'data/a/one.txt' does not match its digest");
	check_int(access("x.tar.gz", F_OK), -1);
	scratch_remove("tiny");
	check_int(rmdir(scratch_path), 0);	/* no debris */
	check_int(mkdir(scratch_path, 0700), 0);
	scratch_leave();
}

/* Open `len` bytes of `gz` and compare the message after the name. */
static void check_refused(const struct kb_buf *gz, size_t len, const char *want)
{
	struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;
	kb_auto(mem) char *message = kb_xasprintf("bundle 'x.tar.gz': %s", want);

	scratch_write("x.tar.gz", gz->data, len);
	check_int(kb_bundle_open(&b, "x.tar.gz", &err), -KB_ERR_INPUT);
	check_str(err.msg, message);
}

static void test_gzip_around_it_has_one_form(void)
{
	kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;

	scratch_enter();
	pack_tiny("tiny.tar.gz");
	scratch_read(&gz, "tiny.tar.gz");
	check_refused(&gz, 0, "the gzip member is cut off");
	check_refused(&gz, 5, "the gzip member is cut off");
	check_refused(&gz, gz.len - 1, "the gzip member is cut off");

	kb_buf_addch(&gz, '\0');
	check_refused(&gz, gz.len, "there are bytes after the gzip member"
		      KB_REPACKED);
	gz.data[gz.len - 2] ^= 1;	/* of the length */
	check_refused(&gz, gz.len - 1, "the gzip member is damaged");
	gz.data[4] = 1;			/* a time */
	check_refused(&gz, gz.len,
		      "the gzip header is not the one of an archive" KB_REPACKED);
	scratch_leave();
}

/*
 * Some bits of a deflate stream have no meaning, and some values of it have
 * two spellings: such a flip gives the same bundle. It never gives another.
 */
static int open_bent(const struct kb_buf *gz, size_t len)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	scratch_write("bent.tar.gz", gz->data, len);
	ret = kb_bundle_open(&b, "bent.tar.gz", NULL);
	if (ret == 0) {
		kb_digest_format(&b.id, hex);
		check_str(hex, TINY_ID);
	} else if (ret != -KB_ERR_INPUT && ret != -KB_ERR_CORRUPT) {
		tap_fail("bent archive gives %d", ret);
	}
	return ret;
}

static void test_every_flip_and_every_cut_is_refused_or_harmless(void)
{
	/* The next value, the other case, all bits. */
	static const uint8_t masks[] = { 0x01, 0x20, 0xff };
	kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;
	size_t header_len = sizeof(KB_GZIP_HEADER) - 1;
	size_t trailer_len = 8;

	scratch_enter();
	pack_tiny("tiny.tar.gz");
	scratch_read(&gz, "tiny.tar.gz");
	for (size_t i = 0; i < gz.len; i++) {
		for (size_t k = 0; k < sizeof(masks); k++) {
			int ret;

			gz.data[i] ^= (char)masks[k];
			ret = open_bent(&gz, gz.len);
			gz.data[i] ^= (char)masks[k];
			if (ret == 0 && (i < header_len ||
					 i >= gz.len - trailer_len))
				tap_fail("flip at %zu is accepted", i);
		}
		if (open_bent(&gz, i) == 0)
			tap_fail("cut at %zu is accepted", i);
	}
	check_int(open_bent(&gz, gz.len), 0);
	scratch_leave();
}

TAP_MAIN(TAP(test_archive_is_the_same_bundle),
	 TAP(test_scratch_directory_goes_with_the_bundle),
	 TAP(test_writing_twice_gives_the_same_bytes),
	 TAP(test_archive_holds_the_manifest_before_the_members),
	 TAP(test_longest_name_survives),
	 TAP(test_archive_that_would_be_refused_is_not_written),
	 TAP(test_changed_member_is_not_archived),
	 TAP(test_gzip_around_it_has_one_form),
	 TAP(test_every_flip_and_every_cut_is_refused_or_harmless));
