#include <stdlib.h>
#include <sys/stat.h>

#include "base/err.h"
#include "import/folder.h"
#include "import/leaderboard.h"
#include "import/open.h"
#include "import/pack.h"
#include "import/sources.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "store/bundle.h"

#define FORMS "'level1/19_Name' nor 'level_1_problem_19_sample_0_kernel'"

static void test_names_say_what_a_file_is(void)
{
	static const struct {
		const char *path;
		int level, problem_id, sample_id;
		enum kb_runtime runtime;
		const char *name;
	} cases[] = {
		{ "level_1_problem_19_sample_0_kernel.py", 1, 19, 0,
		  KB_RUNTIME_TORCH, NULL },
		{ "a/b/level_4_problem_2_sample_17_kernel.c", 4, 2, 17,
		  KB_RUNTIME_NATIVE, NULL },
		{ "level1/19_ReLU.py", 1, 19, 0, KB_RUNTIME_TORCH, "19_ReLU" },
		{ "level1/19_ReLU.cu", 1, 19, 0, KB_RUNTIME_CUDA, "19_ReLU" },
		{ "/x/level12/1_a-b.c.c", 12, 1, 0, KB_RUNTIME_NATIVE,
		  "1_a-b.c" },
		{ "problems/l3_p50.py", 3, 50, 0, KB_RUNTIME_TORCH,
		  "50_l3_p50" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_source_file s = { .name = NULL };
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_source_name_parse(&s, cases[i].path, false, &err), 0);
		check_str(err.msg, "");
		check_int(s.key.level, cases[i].level);
		check_int(s.key.problem_id, cases[i].problem_id);
		check_int(s.sample_id, cases[i].sample_id);
		check_int(s.runtime, cases[i].runtime);
		check_str(s.name ? s.name : "-",
			  cases[i].name ? cases[i].name : "-");
		free(s.name);
	}
}

static void test_names_that_parse_badly_are_refused(void)
{
	static const char *const paths[] = {
		"", "x", "x.py", "level1/x.py", "level1/.py", "level1/19.py",
		"level1/19_.py", "level1/019_a.py", "level01/19_a.py",
		"level0/19_a.py", "level/19_a.py", "xlevel1/19_a.py",
		"level1/19_a b.py", "level1/19_a/b.py", "19_a.py",
		"level1/0_a.py", "level1/19_a.cuh",
		"level_1_problem_19_sample_0.py",
		"level_1_problem_19_sample_0_kernel",
		"level_01_problem_19_sample_0_kernel.py",
		"level_1_problem_19_sample_00_kernel.py",
		"level_1_problem_19_sample_-1_kernel.py",
		"level_1_problem_19_sample_0_kernel_.py",
		"level_1_problem_99999999999_sample_0_kernel.py",
		"level_1_problem__sample_0_kernel.py",
		"Level_1_problem_19_sample_0_kernel.py",
		"l1_p01.py", "l0_p1.py", "l1_p1_.py", "l1_p.py", "L1_p1.py",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(paths); i++) {
		struct kb_source_file s = { .name = NULL };
		struct kb_err err = KB_ERR_INIT;

		if (kb_source_name_parse(&s, paths[i], false, &err) == 0)
			tap_fail("'%s' is taken", paths[i]);
		check_int(err.kind, KB_ERR_INPUT);
		check(!s.name);
	}
}

static void test_one_sample_from_two_files_is_refused(void)
{
	kb_auto(sources) struct kb_sources s = KB_SOURCES_INIT;
	static const char *const paths[] = {
		"level_1_problem_2_sample_0_kernel.py", "level1/2_a.c",
		"level_1_problem_1_sample_0_kernel.py",
	};
	struct kb_err err = KB_ERR_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(paths); i++) {
		struct kb_source_file item = { .name = NULL };

		check_int(kb_source_name_parse(&item, paths[i], false, NULL), 0);
		item.origin = kb_xstrdup(paths[i]);
		check_int(kb_sources_add(&s, &item, NULL), 0);
	}
	check_int(kb_sources_sort(&s, &err), -KB_ERR_INPUT);
	check(strstr(err.msg, "are both sample 0 of problem 1/2"));
}

static void test_folder_takes_sources_and_passes_over_notes(void)
{
	static const char *const over[] = {
		"'f/l2_norm.py' is named neither " FORMS,
		"'f/level1/__init__.py' is named neither " FORMS,
		"'f/other' is a folder that is not named 'level<L>'",
		"'f/test.py' is named neither " FORMS,
	};
	kb_auto(sources) struct kb_sources s = KB_SOURCES_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("f/level_1_problem_3_sample_1_kernel.py", "three");
	scratch_print("f/level_1_problem_3_sample_1_prompt.txt", "no");
	scratch_print("f/level1/2_a.c", "");
	scratch_print("f/level1/deeper/level1/9_a.c", "no");
	scratch_print("f/other/level1/9_a.c", "no");
	scratch_print("f/README.md", "no");
	scratch_print("f/.hidden.py", "no");
	scratch_print("f/test.py", "no");
	scratch_print("f/l2_p9.py", "nine");
	scratch_print("f/l2_norm.py", "no");
	scratch_print("f/level1/__init__.py", "no");

	check_int(kb_folder_read(&s, "f/", &err), 0);
	check_str(err.msg, "");
	check_int(kb_sources_sort(&s, NULL), 0);
	check_int(s.count, 3);
	if (s.count == 3) {
		check_str(s.items[0].origin, "f/level1/2_a.c");
		check_int(s.items[0].size_bytes, 0);
		check_str(s.items[1].data, "three");
		check_str(s.items[2].data, "nine");
	}
	check_int(s.passed_over.count, KB_ARRAY_LEN(over));
	for (size_t i = 0; i < s.passed_over.count; i++)
		check_str(s.passed_over.items[i].text,
			  i < KB_ARRAY_LEN(over) ? over[i] : "");
	scratch_leave();
}

/* One candidate that cannot be taken is one that fails. */
static void test_folder_of_candidates_takes_the_others(void)
{
	static const char too_large[] =
		"'f/level_1_problem_2_sample_0_kernel.py' is larger than "
		"8388608 bytes";
	static const char *const notes[] = {
		"'f/level_1_problem_1_sample_1_kernel.py' is a symbolic link "
		"out of 'f'; 'cp -rL' copies what it leads to",
		too_large,
		"'f/level_1_problem_4_sample_0_kernel.py' is not a regular file",
		"cannot open 'f/level_1_problem_5_sample_0_kernel.py': No such "
		"file or directory",
		"'f/level0/1_a.py' is named neither " FORMS,
		"'f/level_1_problem_1_sample_0_kernel (1).py' is named neither "
		FORMS,
		"'f/lvl_1_problem_1_sample_0_kernel.py' is named neither " FORMS,
	};
	kb_auto(sources) struct kb_sources s = { .are_candidates = true };
	kb_auto(sources) struct kb_sources problems = KB_SOURCES_INIT;
	kb_auto(mem) char *large = kb_xcalloc(1, ((size_t)8 << 20) + 2);
	struct kb_err err = KB_ERR_INIT;

	memset(large, '#', ((size_t)8 << 20) + 1);
	scratch_enter();
	scratch_print("f/level_1_problem_1_sample_0_kernel.py", "good");
	scratch_print("f/level_1_problem_1_sample_0_kernel (1).py", "copy");
	scratch_print("f/level_1_problem_2_sample_0_kernel.py", large);
	scratch_print("f/lvl_1_problem_1_sample_0_kernel.py", "x");
	scratch_print("f/level0/1_a.py", "x");
	scratch_print("f/level1/3_R\xc3\xa9 LU.py", "odd");
	check_int(symlink("/etc/passwd",
			  "f/level_1_problem_1_sample_1_kernel.py"), 0);
	check_int(mkfifo("f/level_1_problem_4_sample_0_kernel.py", 0600), 0);
	check_int(symlink("nowhere", "f/level_1_problem_5_sample_0_kernel.py"),
		  0);

	check(kb_folder_read(&problems, "f", NULL) < 0);
	check_int(kb_folder_read(&s, "f", &err), 0);
	check_str(err.msg, "");
	check_int(kb_sources_sort(&s, NULL), 0);
	check_int(s.count, 6);
	for (size_t i = 0; i < s.count; i++)
		check_str(s.items[i].data, i == 0 ? "good" :
					   i == 3 ? "odd" : "");
	check_int(s.passed_over.count, KB_ARRAY_LEN(notes));
	for (size_t i = 0; i < s.passed_over.count; i++) {
		check_str(s.passed_over.items[i].text,
			  i < KB_ARRAY_LEN(notes) ? notes[i] : "");
		check_int(s.passed_over.items[i].is_emptied, i < 4);
	}
	scratch_leave();
}

static void test_folder_of_problems_says_what_names_are_of(void)
{
	kb_auto(sources) struct kb_sources s = KB_SOURCES_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("f/level1/3_R\xc3\xa9LU.py", "odd");
	check_int(kb_folder_read(&s, "f", &err), -KB_ERR_INPUT);
	check_str(err.msg, "'f/level1/3_R??LU.py' has a name that no problem "
		  "may have: it is of A to Z, a to z, 0 to 9, '_', '-' and "
		  "'.', 96 at most");
	scratch_leave();
}

static void test_folder_without_sources_says_what_it_has(void)
{
	kb_auto(sources) struct kb_sources s = { .are_candidates = true };
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("f/b.PY", "");
	scratch_print("f/a.PY", "");
	check_int(kb_folder_read(&s, "f", NULL), 0);
	check_int(kb_sources_check_any(&s, "candidates", "f", &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "'f' holds no candidates: of its files, 2, such as "
		  "'f/a.PY', none ends in .py, .c or .cu");
	scratch_leave();
}

/* As runs are kept that share kernels. */
static void test_folder_follows_links_within_it(void)
{
	kb_auto(sources) struct kb_sources s = KB_SOURCES_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("f/kept/a.py", "one");
	scratch_print("f/kept/problems/2_b.py", "two");
	check_int(symlink("kept/a.py", "f/level_1_problem_1_sample_0_kernel.py"),
		  0);
	check_int(symlink("../f/kept/problems", "f/level1"), 0);
	check_int(symlink("f", "another-name"), 0);

	check_int(kb_folder_read(&s, "another-name", &err), 0);
	check_str(err.msg, "");
	check_int(kb_sources_sort(&s, NULL), 0);
	check_int(s.count, 2);
	if (s.count == 2) {
		check_str(s.items[0].data, "one");
		check_str(s.items[1].origin, "another-name/level1/2_b.py");
		check_str(s.items[1].data, "two");
	}
	scratch_leave();
}

static void test_folder_refuses_what_it_cannot_vouch_for(void)
{
	static const struct {
		const char *path, *msg;
	} cases[] = {
		{ "bad", "'bad/level_1.py' is named neither 'level1/19_Name' "
			 "nor 'level_1_problem_19_sample_0_kernel'" },
		{ "bad/helper.py", "'bad/helper.py' is named neither 'level1/19_Name' "
				   "nor 'level_1_problem_19_sample_0_kernel'" },
		{ "loose", "'loose/1_a.py' is in no folder 'level<L>', as "
			   "KernelBench's files are, nor has it a line 'def "
			   "solution(', as ParallelKernelBench's do: want one "
			   "of the two" },
		{ "level", "'level/level01/1_a.py' is named neither 'level1/19_Name' "
			   "nor 'level_1_problem_19_sample_0_kernel'" },
		{ "link", "'link/level_1_problem_1_sample_0_kernel.py' is a symbolic "
			  "link out of 'link'; 'cp -rL' copies what it leads to" },
		{ "linked", "'linked/level1' is a symbolic link out of 'linked'; "
			    "'cp -rL' copies what it leads to" },
		{ "sibling", "'sibling/level1' is a symbolic link out of 'sibling'; "
			     "'cp -rL' copies what it leads to" },
		{ "itself", "'itself/level1' is a symbolic link out of 'itself'; "
			    "'cp -rL' copies what it leads to" },
		{ "nowhere", "cannot open 'nowhere/level1': No such file or directory" },
		{ "fifo", "'fifo/level_1_problem_1_sample_0_kernel.c' is not a regular file" },
		{ "big", "'big/level_1_problem_1_sample_0_kernel.c' is larger than 8388608 bytes" },
		{ "nosuch", "cannot open 'nosuch': No such file or directory" },
	};

	scratch_enter();
	scratch_print("bad/helper.py", "");
	scratch_print("bad/level_1.py", "");
	scratch_print("loose/1_a.py", "");
	scratch_print("level/level01/1_a.py", "");
	scratch_print("outside/1_a.py", "");
	scratch_print("link/note", "");
	scratch_print("linked/note", "");
	scratch_print("fifo/note", "");
	scratch_print("big/level_1_problem_1_sample_0_kernel.c", "");
	check_int(symlink("../outside/1_a.py",
			  "link/level_1_problem_1_sample_0_kernel.py"), 0);
	check_int(symlink("../outside", "linked/level1"), 0);
	scratch_print("sibling/note", "");
	scratch_print("siblings/1_a.py", "");
	check_int(symlink("../siblings", "sibling/level1"), 0);
	scratch_print("itself/note", "");
	check_int(symlink(".", "itself/level1"), 0);
	scratch_print("nowhere/note", "");
	check_int(symlink("gone", "nowhere/level1"), 0);
	check_int(mkfifo("fifo/level_1_problem_1_sample_0_kernel.c", 0600), 0);
	check_int(truncate("big/level_1_problem_1_sample_0_kernel.c",
			   KB_SOURCE_BYTES_MAX + 1), 0);

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(sources) struct kb_sources s = KB_SOURCES_INIT;
		struct kb_err err = KB_ERR_INIT;

		check(kb_folder_read(&s, cases[i].path, &err) < 0);
		check_str(err.msg, cases[i].msg);
	}
	scratch_leave();
}

static void test_leaderboard_gives_kernels_and_metadata(void)
{
	static const char text[] =
		"{ \"metadata\": {\"display_name\": \"A\", \"notes\": \"\","
		" \"run_name\": null, \"more\": 0.5},\n"
		"  \"kernels\": {\"level_2_problem_7_sample_3\": \"x\\n\"} }\n";
	kb_auto(provenance) struct kb_provenance p = KB_PROVENANCE_INIT;
	kb_auto(sources) struct kb_sources s = KB_SOURCES_INIT;

	check_int(kb_leaderboard_parse(&p, &s, text, strlen(text), "l", NULL),
		  0);
	check_str(p.display_name, "A");
	check(!p.notes && !p.run_name && !p.organization);
	check_int(s.count, 1);
	if (s.count == 1) {
		check_int(s.items[0].key.level, 2);
		check_int(s.items[0].key.problem_id, 7);
		check_int(s.items[0].sample_id, 3);
		check_str(s.items[0].data, "x\n");
	}
}

static void pack_suite(const char *const paths[], size_t count,
		       const struct kb_suite_labels *labels,
		       struct kb_digest *id)
{
	struct kb_err err = KB_ERR_INIT;

	const struct kb_pack pack = {
		.paths = paths, .count = count, .store = "store",
	};

	check_int(kb_suite_pack(&pack, labels, id, &err), 0);
	check_str(err.msg, "");
}

static void test_suite_id_depends_on_what_is_in_it_alone(void)
{
	static const struct kb_suite_labels labels = { .name = "s" };
	static const char *const folder[] = { "a" };
	static const char *const files[] = { "b/level1/10_y.c",
					     "b/level1/9_x.py" };
	struct kb_digest one, two, three;

	scratch_enter();
	scratch_print("a/level1/9_x.py", "x");
	scratch_print("a/level1/10_y.c", "y");
	scratch_print("b/level1/9_x.py", "x");
	scratch_print("b/level1/10_y.c", "y");
	pack_suite(folder, 1, &labels, &one);
	pack_suite(files, 2, &labels, &two);
	check(kb_digest_equal(&one, &two));

	scratch_print("b/level1/10_y.c", "z");
	pack_suite(files, 2, &labels, &three);
	check(!kb_digest_equal(&one, &three));
	scratch_leave();
}

static void test_suite_takes_labels_from_its_folder(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("demo/level1/9_x.py", "x");
	scratch_print("demo/level2/1_y.c", "");
	check_int(kb_suite_open_or_pack(&b, &s, "store", "demo", &err), 0);
	check_str(err.msg, "");
	check_str(s.name, "demo");
	check(!s.version && !s.upstream_commit);
	check_int(s.problem_count, 2);
	check(kb_suite_find(&s, (struct kb_key){ 2, 1 }));
	check(!kb_suite_find(&s, (struct kb_key){ 2, 2 }));
	kb_bundle_release(&b);
	kb_suite_release(&s);

	scratch_print("demo/suite.json",
		      "{ \"name\": \"other\", \"version\": \"3\" }\n");
	check_int(kb_suite_open_or_pack(&b, &s, "store", "demo", &err), 0);
	check_str(s.name, "other");
	check_str(s.version, "3");
	kb_bundle_release(&b);
	kb_suite_release(&s);

	scratch_print("demo/suite.json", "{\"nmae\":\"x\"}");
	check_int(kb_suite_open_or_pack(&b, &s, "store", "demo", &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "demo/suite.json: 'nmae' is not a known member");
	scratch_leave();
}

#define FACTS FACTS_WITH("")
#define FACTS_WITH(packages)						\
	"{\"inputs\": [], \"outputs\": [{\"dtype\": \"int8\", \"shape\": []}]," \
	" \"parameters\": {\"count\": 0,"					\
	" \"bytes\": {\"fp32\": 0, \"fp16\": 0, \"bf16\": 0}},"		\
	" \"flops\": 7, \"bytes_min\": {\"fp32\": 1, \"fp16\": 1, \"bf16\": 1}," \
	" \"requires\": {\"device_bytes\": 1, \"compute_capability\": null," \
	" \"packages\": [" packages "]}, \"tags\": [], \"note\": null,"	\
	" \"tolerance\": null, \"remedy\": null, \"audit\": null}"

static void test_suite_takes_facts_from_its_folder(void)
{
	static const char *const files[] = { "demo/level1/9_x.py",
					     "demo/level2/1_y.c" };
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest with, without;

	scratch_enter();
	scratch_print("demo/level1/9_x.py", "x");
	scratch_print("demo/level2/1_y.c", "");
	scratch_print("demo/suite.json", "{\"name\": \"demo\"}");
	pack_suite((const char *[]){ "demo" }, 1, NULL, &without);

	scratch_print("demo/suite.json",
		      "{\"name\": \"demo\", \"problems\":\n"
		      "  {\"1/9\": " FACTS "}}\n");
	check_int(kb_suite_open_or_pack(&b, &s, "store", "demo", &err), 0);
	check_str(err.msg, "");
	check_int(s.problem_count, 2);
	if (s.problem_count == 2) {
		check(s.problems[0].facts && s.problems[0].facts->flops == 7);
		check(!s.problems[1].facts);
	}

	/* They are part of what a suite is named by; files alone have none. */
	pack_suite((const char *[]){ "demo" }, 1, NULL, &with);
	check(!kb_digest_equal(&with, &without));
	pack_suite(files, 2, &(struct kb_suite_labels){ .name = "demo" },
		   &with);
	check(kb_digest_equal(&with, &without));
	scratch_leave();
}

/* Of those without facts the code is asked, and of the others the facts. */
static void test_problems_need_transformers(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("demo/level1/1_a.py", "import torch");
	scratch_print("demo/level1/2_b.py", "import torch, transformers");
	scratch_print("demo/level1/3_c.py", "import torch, transformers");
	scratch_print("demo/level1/4_d.py", "import torch");
	scratch_print("demo/level1/5_e.c", "import transformers");
	scratch_print("demo/suite.json",
		      "{\"problems\": {\"1/3\": " FACTS ",\n"
		      "\"1/4\": " FACTS_WITH("\"tokenizers\", \"transformers\"")
		      "}}\n");
	check_int(kb_suite_open_or_pack(&b, &s, "store", "demo", &err), 0);
	check_str(err.msg, "");
	check_int(s.problem_count, 5);
	for (size_t i = 0; i < s.problem_count; i++)
		check_int(s.problems[i].needs_transformers, i == 1 || i == 3);
	scratch_leave();
}

static void test_suite_refuses_facts_that_do_not_fit(void)
{
	static const struct {
		const char *problems, *msg;
	} cases[] = {
		{ "null", "demo/suite.json: 'problems' is null, want an object" },
		{ "{\"1/8\": " FACTS "}",
		  "demo/suite.json: has facts of 1/8, which is not in the suite" },
		{ "{\"9_x\": " FACTS "}",
		  "demo/suite.json: problem '9_x' is not of the form '1/19'" },
		{ "{\"1/9\": null}",
		  "demo/suite.json: facts of 1/9: is null, want an object" },
		{ "{\"1/9\": {}}",
		  "demo/suite.json: facts of 1/9: 'inputs' is missing" },
	};

	scratch_enter();
	scratch_print("demo/level1/9_x.py", "x");
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(mem) char *text = kb_xasprintf("{\"problems\": %s}",
						       cases[i].problems);
		const char *folder = "demo";
		const struct kb_pack pack = {
			.paths = &folder, .count = 1, .store = "store",
		};
		struct kb_err err = KB_ERR_INIT;
		struct kb_digest id;

		scratch_print("demo/suite.json", text);
		check_int(kb_suite_pack(&pack, NULL, &id, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, cases[i].msg);
	}
	scratch_leave();
}

/* A quarter of a megabyte is what 270 problems take. */
static void test_suite_labels_may_be_long_but_not_endless(void)
{
	static const char *const paths[] = { "demo" };
	static const struct kb_pack pack = {
		.paths = paths, .count = 1, .store = "store",
	};
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	scratch_print("demo/level1/9_x.py", "x");
	kb_buf_addstr(&text, "{}");
	while (text.len < KB_SUITE_LABELS_BYTES_MAX)
		kb_buf_addstr(&text, "\n");
	scratch_print("demo/suite.json", text.data);
	pack_suite(paths, 1, NULL, &id);

	kb_buf_addstr(&text, "\n");
	scratch_print("demo/suite.json", text.data);
	check_int(kb_suite_pack(&pack, NULL, &id, &err), -KB_ERR_INPUT);
	check_str(err.msg, "'demo/suite.json' is larger than 4194304 bytes");
	scratch_leave();
}

static void test_submission_is_told_by_its_form(void)
{
	static const struct {
		const char *path;
		enum kb_source_format format;
		const char *model;
	} cases[] = {
		{ "folder", KB_FORMAT_FOLDER, "-" },
		{ "run", KB_FORMAT_KERNELBENCH_RUNS, "m" },
		{ "board.json", KB_FORMAT_LEADERBOARD_JSON, "-" },
		{ "lines.json", KB_FORMAT_CUDA_L1, "-" },
		{ "folder/level_1_problem_1_sample_0_kernel.py",
		  KB_FORMAT_FOLDER, "-" },
	};

	scratch_enter();
	scratch_print("folder/level_1_problem_1_sample_0_kernel.py", "x");
	scratch_print("run/level_1_problem_1_sample_0_kernel.py", "x");
	scratch_print("run/generation_config.yaml", "model_name: m\n");
	scratch_print("lines.json", "{\"level_id\":1,\"task_id\":1,"
		      "\"custom_code\":\"x\"}\n");
	scratch_print("board.json", "{\"metadata\":{\"display_name\":\"A\"},"
		      "\"kernels\":{\"level_1_problem_1_sample_0\":\"x\"}}");
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
		kb_auto(submission) struct kb_submission s =
			KB_SUBMISSION_INIT;
		struct kb_err err = KB_ERR_INIT;
		size_t count;

		check_int(kb_submission_open_or_pack(
				  &b, &s,
				  &(struct kb_pack){ .paths = &cases[i].path,
						     .count = 1,
						     .store = "store" },
				  &err), 0);
		check_str(err.msg, "");
		check_int(s.source_format, cases[i].format);
		check_str(s.provenance.model ? s.provenance.model : "-",
			  cases[i].model);
		check(kb_submission_find(&s, (struct kb_key){ 1, 1 }, &count));
		check_int(count, 1);
	}
	scratch_leave();
}

/* A bundle whose record and members do not belong together. */
static void test_suite_with_a_stray_member_is_refused(void)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_suite s = KB_SUITE_INIT;
	struct kb_problem p = {
		.key = { 1, 1 }, .name = kb_xstrdup("1_a"),
		.runtime = KB_RUNTIME_NATIVE, .size_bytes = 1,
	};
	char hex[KB_DIGEST_HEX_SIZE];
	kb_auto(mem) char *path = NULL;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	p.file = kb_problem_file(p.key, p.name, p.runtime);
	kb_digest_of(&p.digest, "x", 1);
	s.name = kb_xstrdup("s");
	s.problems = kb_xcalloc(1, sizeof(p));
	s.problems[s.problem_count++] = p;
	check_int(kb_bundle_writer_new(&w, "store", NULL), 0);
	check_int(kb_record_write(w, kb_suite_to_json(&s), NULL), 0);
	check_int(kb_bundle_writer_add(w, p.file, "x", 1, NULL), 0);
	check_int(kb_bundle_writer_add(w, "data/stray", "x", 1, NULL), 0);
	check_int(kb_bundle_writer_commit(w, &id, NULL), 0);
	kb_suite_release(&s);

	kb_digest_format(&id, hex);
	path = kb_xasprintf("store/%s", hex);
	check_int(kb_bundle_open(&b, path, NULL), 0);
	check_int(kb_suite_load(&s, &b, &err), -KB_ERR_INPUT);
	check_str(err.msg,
		  "the bundle has 3 members, but the record accounts for 2");
	scratch_leave();
}

TAP_MAIN(TAP(test_names_say_what_a_file_is),
	 TAP(test_names_that_parse_badly_are_refused),
	 TAP(test_one_sample_from_two_files_is_refused),
	 TAP(test_folder_takes_sources_and_passes_over_notes),
	 TAP(test_folder_of_candidates_takes_the_others),
	 TAP(test_folder_of_problems_says_what_names_are_of),
	 TAP(test_folder_without_sources_says_what_it_has),
	 TAP(test_folder_follows_links_within_it),
	 TAP(test_folder_refuses_what_it_cannot_vouch_for),
	 TAP(test_leaderboard_gives_kernels_and_metadata),
	 TAP(test_suite_id_depends_on_what_is_in_it_alone),
	 TAP(test_suite_takes_labels_from_its_folder),
	 TAP(test_suite_takes_facts_from_its_folder),
	 TAP(test_problems_need_transformers),
	 TAP(test_suite_refuses_facts_that_do_not_fit),
	 TAP(test_suite_labels_may_be_long_but_not_endless),
	 TAP(test_submission_is_told_by_its_form),
	 TAP(test_suite_with_a_stray_member_is_refused));
