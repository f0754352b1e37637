#include "manifest/gpm_metric.h"

#include "lib/tap.h"

static void test_names_are_told_apart(void)
{
	for (int i = 0; i < KB_GPM_METRIC_COUNT; i++)
		for (int k = 0; k < i; k++)
			check(strcmp(kb_gpm_metric_name(i),
				     kb_gpm_metric_name(k)));
	check_str(kb_gpm_metric_name(KB_GPM_DRAM_BANDWIDTH), "dram_bandwidth");
}

TAP_MAIN(TAP(test_names_are_told_apart));
