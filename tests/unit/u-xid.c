#include "device/xid.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/nvml.h"
#include "fake-nvml/fake_nvml.h"
#include "lib/tap.h"

KB_DEFINE_CLEANUP(nvml, struct kb_nvml *, kb_nvml_close);
KB_DEFINE_CLEANUP(xids, struct kb_xids *, kb_xids_close);

static struct kb_nvml *open_fake(const char *name)
{
	struct kb_nvml *n = NULL;

	if (kb_nvml_open_at(&n, fake_nvml_path(name), fake_nvml_uuid, NULL) < 0)
		KB_BUG("cannot open the stand-in");
	return n;
}

static void report(struct fake_nvml *fake, unsigned long long type,
		   unsigned long long data)
{
	fake->events[fake->event_count++] =
		(struct fake_nvml_event){ type, data };
}

static void check_said(const struct kb_xids *x, const char *before,
		       const char *want)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_buf_addstr(&out, before);
	kb_xids_print(&out, x);
	check_str(out.data ? out.data : "", want);
}

static void check_is_good(const struct kb_xids *x)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_xids_check(x, &err), 0);
	check_str(err.msg, "");
}

static void test_without_nvml_there_is_nothing(void)
{
	struct kb_xids *x = kb_xids_open(NULL);

	check(!x);
	kb_xids_read(x);
	check_said(x, "log", "log");
	check_is_good(x);
	kb_xids_close(x);
}

static void check_does_not_open(int *result)
{
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);

	*result = FAKE_NVML_NOT_SUPPORTED;
	check(!kb_xids_open(n));
	*result = 0;
}

static void test_where_nvml_does_not_tell_there_is_nothing(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);

	check_does_not_open(&fake->set_result);
	check_int(fake->sets, 0);
	check_does_not_open(&fake->register_result);
	check_int(fake->sets, 0);
}

/* By both names of the function. */
static void check_told_once(const char *library)
{
	struct fake_nvml *fake = fake_nvml_reset(library);
	kb_auto(nvml) struct kb_nvml *n = open_fake(library);
	struct kb_xids *x = kb_xids_open(n);

	report(fake, FAKE_NVML_XID_EVENT, 31);
	report(fake, FAKE_NVML_XID_EVENT, 43);
	report(fake, FAKE_NVML_XID_EVENT, 31);
	kb_xids_read(x);
	check_said(x, "", "[the driver reported Xid 31 (memory page fault), "
			  "Xid 43 (GPU stopped processing)]\n");
	check_is_good(x);
	kb_xids_read(x);
	check_said(x, "", "");
	check_int(fake->sets, 1);
	kb_xids_close(x);
	check_int(fake->sets, 0);
}

static void test_what_is_reported_is_told_once(void)
{
	check_told_once(FAKE_NVML);
	check_told_once(FAKE_NVML_OLD);
}

static void test_the_line_stands_alone(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(xids) struct kb_xids *x = kb_xids_open(n);

	report(fake, FAKE_NVML_XID_EVENT, 999);
	kb_xids_read(x);
	check_said(x, "a\n", "a\n[the driver reported Xid 999]\n");
	check_said(x, "a", "a\n[the driver reported Xid 999]\n");
	check_is_good(x);
}

static void test_other_events_and_no_numbers_are_passed_over(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(xids) struct kb_xids *x = kb_xids_open(n);

	report(fake, 2, 79);
	report(fake, FAKE_NVML_XID_EVENT, 0x10000);
	report(fake, FAKE_NVML_XID_EVENT, (1ULL << 32) + 79);
	report(fake, FAKE_NVML_XID_EVENT, 0xffff);
	kb_xids_read(x);
	check_said(x, "", "[the driver reported Xid 65535]\n");
	check_is_good(x);
}

/* By the catalogue, and what it says that is not followed. */
static void test_who_condemns(void)
{
	static const unsigned bad[] = { 46, 48, 62, 64, 79, 95, 110, 119, 120,
					140, 143, 151, 156, 158 };
	size_t count = 0;

	for (unsigned i = 0; i < 1000; i++)
		count += kb_xid_condemns(i);
	check_int(count, KB_ARRAY_LEN(bad));
	for (size_t i = 0; i < KB_ARRAY_LEN(bad); i++) {
		check(kb_xid_condemns(bad[i]));
		check(kb_xid_name(bad[i]) != NULL);
	}
}

static void test_what_condemns_is_not_forgotten(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(xids) struct kb_xids *x = kb_xids_open(n);
	struct kb_err err = KB_ERR_INIT;

	report(fake, FAKE_NVML_XID_EVENT, 31);
	report(fake, FAKE_NVML_XID_EVENT, 79);
	report(fake, FAKE_NVML_XID_EVENT, 119);
	kb_xids_read(x);
	kb_xids_read(x);
	check_said(x, "", "");
	check_int(kb_xids_check(x, &err), -KB_ERR_DEVICE);
	check_str(err.msg, "the GPU has gone bad: Xid 79: GPU has fallen off "
			   "the bus");
}

static void test_reports_without_end_have_one(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(xids) struct kb_xids *x = kb_xids_open(n);
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	size_t commas = 0;

	for (unsigned i = 0; i < FAKE_NVML_EVENTS_MAX; i++)
		report(fake, FAKE_NVML_XID_EVENT, 1000 + i);
	kb_xids_read(x);
	kb_xids_print(&out, x);
	for (const char *c = out.data; (c = strchr(c, ',')); c++)
		commas++;
	check_int(commas, KB_XIDS_MAX - 1);

	report(fake, FAKE_NVML_XID_EVENT, 31);
	fake->has_endless_events = true;
	kb_xids_read(x);
	check_said(x, "", "[the driver reported Xid 31 (memory page fault)]\n");
}

TAP_MAIN(TAP(test_without_nvml_there_is_nothing),
	 TAP(test_where_nvml_does_not_tell_there_is_nothing),
	 TAP(test_what_is_reported_is_told_once),
	 TAP(test_the_line_stands_alone),
	 TAP(test_other_events_and_no_numbers_are_passed_over),
	 TAP(test_who_condemns),
	 TAP(test_what_condemns_is_not_forgotten),
	 TAP(test_reports_without_end_have_one));
