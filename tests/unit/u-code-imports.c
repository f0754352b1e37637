#include "source/code_imports.h"

#include <string.h>

#include "base/cleanup.h"
#include "lib/tap.h"
#include "source/code_words.h"

static const struct {
	const char *code;
	bool is_imported;
} transformers[] = {
	{ "", false },
	{ "import transformers", true },
	{ "import torch, transformers as t", true },
	{ "import transformers.models.bert", true },
	{ "from transformers import AutoConfig, AutoModelForCausalLM", true },
	{ "from transformers.models import bert", true },
	{ "def f():\n    from transformers import AutoConfig\n", true },
	{ "try: import transformers\nexcept ImportError: pass", true },
	{ "x = 1; import transformers", true },

	{ "import torch", false },
	{ "import my.transformers", false },
	{ "from .transformers import Block", false },
	{ "from torch import transformers", false },
	{ "import torch as transformers", false },
	{ "import transformers_of_mine", false },
	{ "# import transformers", false },
	{ "'''\nimport transformers\n'''", false },
	{ "x = 'import transformers'", false },
	{ "transformers = 1", false },
};

static bool imports(const char *code, const char *module, const char *inner)
{
	kb_auto(code_words) struct kb_code_words w = KB_CODE_WORDS_INIT;

	kb_code_words_read(&w, code, strlen(code));
	return kb_code_imports(&w, module, inner);
}

static void test_a_module_is_imported(void)
{
	for (size_t i = 0; i < sizeof(transformers) / sizeof(*transformers); i++)
		if (imports(transformers[i].code, "transformers", NULL) !=
		    transformers[i].is_imported)
			tap_fail("'%s' is taken for the other\n",
				 transformers[i].code);
}

static void test_of_a_module_that_is_wanted(void)
{
	check(imports("from cuda import tile", "cuda", "tile"));
	check(imports("import torch, cuda.tile", "cuda", "tile"));
	check(!imports("import cuda", "cuda", "tile"));
	check(!imports("from cuda import bindings\ntile", "cuda", "tile"));
}

TAP_MAIN(TAP(test_a_module_is_imported), TAP(test_of_a_module_that_is_wanted));
