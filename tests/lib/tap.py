"""TAP on stdout, for a test that is a script of functions test_*()."""

number = failed = 0


def result(good, name, *why):
    global number, failed
    number += 1
    failed += not good
    for line in why if not good else ():
        print("#", *str(line).splitlines()[:30], sep="\n# ")
    print("ok" if good else "not ok", number, "-", name, flush=True)


def skip(why):
    global number
    number += 1
    print("ok", number, "# SKIP", why, flush=True)


def run_tests(script, names):
    """Those of its globals(), by name; or of so many names, if there are any."""
    for name, test in sorted(script.items()):
        if name.startswith("test_") and (not names or name in names):
            test()


def end():
    """The exit status."""
    print("1..%d" % number)
    return failed > 0
