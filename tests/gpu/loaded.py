

# Appended to candidates whose cost is asked for.
def say_loaded(build=ModelNew.__init__):  # noqa: F821
    import time

    def init(self, *arguments, **named):
        build(self, *arguments, **named)
        print("loaded at %d" % time.monotonic_ns(), flush=True)

    return init


ModelNew.__init__ = say_loaded()  # noqa: F821
