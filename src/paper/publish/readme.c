#include "publish/readme.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "export/markdown.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "publish/citation.h"
#include "publish/publication.h"
#include "publish/ro_crate.h"
#include "sheet/score_sheet.h"

static void print_id(struct kb_buf *out, const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	kb_buf_addstr(out, hex);
}

/* As many digits as tell bundles apart for people and for a store. */
static void print_short_id(struct kb_buf *out, const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	kb_buf_addf(out, "`%.16s`", hex);
}

static void print_head(struct kb_buf *out, const struct kb_publication *p)
{
	kb_buf_addstr(out, "# ");
	kb_markdown_text_print(out, p->about.title);
	kb_buf_addstr(out,
"\n\n"
"Measurements of kernels by kb, with all that they were made from: the\n"
"problems, the candidates, the samples of every timing and the machine that\n"
"they were taken on. Every folder here is a *bundle*. Its name is the SHA-256\n"
"of its list of files, and that list has the SHA-256 of every file; so nothing\n"
"in it can change without a change of its name.\n");
}

/* Without its parents a score does not say what it was measured on. */
static int print_score(struct kb_buf *out, const struct kb_publication *p,
		       const struct kb_published *b, struct kb_err *err)
{
	const struct kb_published *e =
		kb_publication_find(p, &b->parents[0].id);
	const struct kb_published *l =
		kb_publication_find(p, &b->parents[1].id);
	kb_auto(score) struct kb_score score = KB_SCORE_INIT;
	kb_auto(evaluation) struct kb_evaluation evaluation =
		KB_EVALUATION_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	const struct kb_score_sheet sheet = {
		.score = &score, .id = &b->bundle.id,
		.evaluation = &evaluation, .baseline = &baseline,
	};
	int ret = 0;

	kb_buf_addstr(out, "\n## Score ");
	print_short_id(out, &b->bundle.id);
	kb_buf_addstr(out, "\n\n");
	if (!e || !l) {
		kb_buf_addstr(out, "Its evaluation or its baseline is not "
				   "here, so its numbers cannot be checked and "
				   "are not shown.\n");
		return 0;
	}
	ret = kb_score_load(&score, &b->bundle, err);
	if (ret == 0)
		ret = kb_evaluation_load_record(&evaluation, &e->bundle, err);
	if (ret == 0)
		ret = kb_baseline_load(&baseline, &l->bundle, err);
	if (ret == 0)
		kb_markdown_print(out, &sheet);
	return ret;
}

static void print_maker(struct kb_buf *out, const struct kb_json *tool)
{
	if (!tool)
		return;
	kb_markdown_text_print(out, kb_json_string_value(
				       kb_json_find(tool, "name")));
	kb_buf_addch(out, ' ');
	kb_markdown_text_print(out, kb_json_string_value(
				       kb_json_find(tool, "version")));
}

static void print_bundle(struct kb_buf *out, const struct kb_published *b)
{
	kb_buf_addstr(out, "| ");
	print_short_id(out, &b->bundle.id);
	kb_buf_addf(out, " | %s |", kb_kind_name(b->kind));
	for (size_t i = 0; i < b->parent_count; i++) {
		kb_buf_addf(out, "%s %s ", i ? "," : "",
			    kb_kind_name(b->parents[i].kind));
		print_short_id(out, &b->parents[i].id);
	}
	kb_buf_addstr(out, " | ");
	print_maker(out, b->tool);
	kb_buf_addstr(out, " |\n");
}

static void print_contents(struct kb_buf *out, const struct kb_publication *p)
{
	kb_buf_addstr(out, "\n## What is here\n\n"
			   "| folder | is a | made from | by |\n"
			   "| --- | --- | --- | --- |\n");
	for (size_t i = 0; i < p->count; i++)
		print_bundle(out, &p->items[i]);
	kb_buf_addstr(out,
"\nFolders are shown by the first 16 digits of their names. What a bundle says\n"
"is in its `data/manifest.json`, and line by line beside it, as JSON.\n"
"`" KB_RO_CRATE_NAME "` describes all of it for programs (RO-Crate 1.2),\n"
"`" KB_CITATION_NAME "` how to cite it.\n");
	if (!p->missing_count)
		return;
	kb_buf_addstr(out, "\nNot here, and so not to be checked:\n\n");
	for (size_t i = 0; i < p->missing_count; i++) {
		kb_buf_addf(out, "- %s `", kb_kind_name(p->missing[i].kind));
		print_id(out, &p->missing[i].id);
		kb_buf_addstr(out, "`\n");
	}
}

static size_t count_signatures(const struct kb_publication *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += p->items[i].signatures.count;
	return count;
}

/* The reader may have neither kb nor a reason to trust it: what the shell's own
 * tools can check is written out, so that it can be typed. tests/stranger types
 * it. */
static void print_check(struct kb_buf *out, const struct kb_publication *p)
{
	kb_buf_addstr(out,
"\n## Check it\n\n"
"With kb, in this folder, on any machine; this needs no GPU, no Python and no\n"
"network. Every byte is checked, and scores and the files about the bundles are\n"
"made again:\n"
"\n"
"    kb-verify .\n"
"\n"
"Without kb, the bytes alone, by the tools of any GNU system:\n"
"\n"
"    bagit=1712ecfb074bf29c4188ad3421032509159a09739fd604f8fe57038b4ddefcc9\n"
"    for id in */\n"
"    do\n"
"        id=${id%/}\n"
"        (cd \"$id\" &&\n"
"         test \"$(sha256sum <manifest-sha256.txt)\" = \"$id  -\" &&\n"
"         test \"$(sha256sum <bagit.txt)\" = \"$bagit  -\" &&\n"
"         sha256sum --quiet --strict -c manifest-sha256.txt &&\n"
"         ! grep -qv '^[0-9a-f]\\{64\\}  data/' manifest-sha256.txt &&\n"
"         test \"$(echo $(LC_ALL=C ls -A))\" = \\\n"
"              \"bagit.txt data manifest-sha256.txt\" &&\n"
"         test -z \"$(find . ! -type f ! -type d)\" &&\n"
"         test \"$(find data ! -type d | LC_ALL=C sort)\" = \\\n"
"              \"$(cut -c 67- manifest-sha256.txt)\") &&\n"
"        echo \"ok $id\" || echo \"NOT OK $id\"\n"
"    done\n");
	if (count_signatures(p))
		kb_buf_addstr(out,
"\n"
"A file `<id>.<key>.dsse.json` is a signature of the bundle with that id. With\n"
"the signer's public key, from the signer and not from here,\n"
"`kb-verify --public-key KEY.pem` checks it.\n");
	kb_buf_addstr(out,
"\n"
"What this shows is that these are the bytes that the names stand for, and that\n"
"scores follow from samples. That somebody took these samples on that machine,\n"
"it does not show; who can, measures again.\n");
}

static void print_license(struct kb_buf *out, const struct kb_publication *p)
{
	kb_buf_addf(out, "\n## Licence\n\n%s.\n",
		    p->about.license ? p->about.license : "None is stated");
}

int kb_publish_readme_print(struct kb_buf *out, const struct kb_publication *p,
			    struct kb_err *err)
{
	print_head(out, p);
	for (size_t i = 0; i < p->count; i++) {
		int ret = 0;

		if (p->items[i].kind == KB_KIND_SCORE && p->items[i].is_asked)
			ret = print_score(out, p, &p->items[i], err);
		if (ret < 0)
			return ret;
	}
	print_contents(out, p);
	print_check(out, p);
	print_license(out, p);
	return 0;
}
