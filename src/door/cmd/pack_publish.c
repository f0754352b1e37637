/* kb-pack publish: a score and all that it rests on into one archive. */

#include "cmd/pack_verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/output.h"
#include "base/variable.h"
#include "cmd/cmd.h"
#include "publish/publish.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT, *archive_file;
static struct kb_publication_about about;
static struct kb_option_list author_names, author_orcids;
static bool allow_missing;

const struct kb_option kb_pack_publish_options[] = {
	{ .name = "output", .letter = 'o', .arg = "FILE",
	  .help = "archive to write",
	  .type = KB_OPTION_STRING, .value = &archive_file,
	  .otherwise = "FOLDER.tar.gz" },
	KB_PACK_STORES,
	KB_PACK_TEXT("title", "TEXT", "title of the publication", about.title),
	{ .name = "author", .arg = "NAME",
	  .help = "author, 'Family, Given' or a group (repeatable)",
	  .type = KB_OPTION_LIST, .value = &author_names },
	{ .name = "orcid", .arg = "ID",
	  .help = "the first author's ORCID iD, then the second's...",
	  .type = KB_OPTION_LIST, .value = &author_orcids },
	KB_PACK_TEXT("license", "NAME", "licence, as SPDX names it",
		     about.license),
	KB_PACK_TEXT("date", "DATE", "day of publication", about.date,
		     .otherwise = "$SOURCE_DATE_EPOCH, otherwise today"),
	{ .name = "allow-missing-parents",
	  .help = "publish without missing parents",
	  .type = KB_OPTION_FLAG, .value = &allow_missing },
	KB_OPTION_END,
};

/* The day of publication: as told, or of SOURCE_DATE_EPOCH, which builds that
 * are to be repeated set, or today. The caller frees. */
static char *publication_date(struct kb_err *err)
{
	const char *epoch = kb_variable("SOURCE_DATE_EPOCH");
	char text[sizeof("2026-11-21")], *end;
	time_t now = time(NULL);
	struct tm day;

	if (about.date)
		return kb_xstrdup(about.date);
	if (epoch)
		now = (time_t)strtoll(epoch, &end, 10);
	if ((epoch && *end) || !gmtime_r(&now, &day) ||
	    strftime(text, sizeof(text), "%Y-%m-%d", &day) != sizeof(text) - 1) {
		kb_err(err, KB_ERR_USAGE,
		       "SOURCE_DATE_EPOCH is no time in seconds: '%s'", epoch);
		return NULL;
	}
	/* Shells of Nix and the like set one that stands for no day at all. */
	if (epoch && day.tm_year < 100)
		fprintf(stderr, "note: published on %s, as SOURCE_DATE_EPOCH "
			"says; --date tells another day\n", text);
	return kb_xstrdup(text);
}

static int read_authors(struct kb_author authors[KB_OPTION_LIST_MAX],
			struct kb_err *err)
{
	if (author_orcids.count > author_names.count)
		return kb_err(err, KB_ERR_USAGE,
			      "there are more --orcid than --author");
	for (int i = 0; i < author_names.count; i++)
		authors[i] = (struct kb_author){
			.name = author_names.items[i],
			.orcid = i < author_orcids.count ?
					 author_orcids.items[i] : NULL,
		};
	return 0;
}

/* The archive lists its files itself. */
static void print_sizes(const struct kb_publish_sizes *s)
{
	printf("%zu files of %" PRIu64 " bytes, %" PRIu64 " as an archive\n"
	       "%s\n", s->count, s->total_bytes, s->archive_bytes,
	       archive_file);
}

/* A user who publishes again may have forgotten the licence of the first
 * archive. */
static void note_replaced(const struct kb_publication *p)
{
	struct stat st;

	if (!p->about.license && stat(archive_file, &st) == 0 &&
	    S_ISREG(st.st_mode))
		fprintf(stderr, "note: '%s' exists and is replaced; the new "
			"archive states no licence: --license NAME states one\n",
			archive_file);
}

static int write_publication(struct kb_publication *p, struct kb_err *err)
{
	kb_auto(publish_sizes) struct kb_publish_sizes sizes =
		KB_PUBLISH_SIZES_INIT;
	kb_auto(mem) char *folder = kb_publish_folder(p);
	kb_auto(mem) char *file = kb_xasprintf("%s.tar.gz", folder);
	kb_auto(mem) char *title = kb_publish_title(p);
	int ret;

	if (!p->about.title)
		p->about.title = title;
	if (!archive_file)
		archive_file = file;
	note_replaced(p);
	ret = kb_publish_write(&sizes, p, archive_file, err);
	if (ret < 0)
		return ret;
	if (!kb_output_is_stdout(archive_file))
		print_sizes(&sizes);
	return KB_EXIT_OK;
}

int kb_pack_publish(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	struct kb_author authors[KB_OPTION_LIST_MAX];
	kb_auto(mem) char *date = NULL;
	int ret;

	date = publication_date(err);
	if (!date)
		return -KB_ERR_USAGE;
	ret = read_authors(authors, err);
	if (ret < 0)
		return ret;
	p.about = about;
	p.about.date = date;
	p.about.authors = authors;
	p.about.author_count = (size_t)author_names.count;
	ret = kb_publication_check_about(&p.about, err);
	if (ret == 0)
		ret = kb_publication_gather(&p, store,
					    (const char *const *)argv,
					    (size_t)argc, allow_missing, err);
	return ret < 0 ? ret : write_publication(&p, err);
}
