# What tests are built from, and how; read by the Makefile.

# A unit test is a program of its own; a fuzz target is replayed over its
# corpus by a common driver, or run by libFuzzer.
UNITS    = $(sort $(notdir $(basename $(wildcard tests/unit/u-*.c))))
FUZZ     = $(sort $(notdir $(basename $(wildcard tests/fuzz/fuzz-*.c))))

# The runtimes' library once more, instrumented like the tests that link it.
$(B)/libkbrt.a: $(KBRT:%=$(B)/src/%.o) $(B)/src/run/runtime/native/problem.o
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

RUNTIME_TESTS = native torch torch_fp64

# What scripts in tests/property and tools/bench drive.
DRIVERS = property/upstream bench/score bench/start confinement/without

# Programs that a process runs again and again, for tests that run them thousands of
# times; and what asks such a process by their names.
AGAIN = kb-pack kb-report kb-score kb-sign kb-verify

# Programs that misbehave, for u-process, u-confined and u-worker; not instrumented either.
FAKES = acks-and-exits acks-code acks-late-code acks-twice acks-wrong-nonce \
	acks-wrong-op acks-wrong-size closes-channel crashes crashes-in-run \
	done-at-once exits exits-in-run floods floods-and-exits \
	floods-in-run good leaves-requests never-acks never-done never-settles prints \
	settles-early shuts-channel speaks-first stops-itself tricks vforks

# Stand-ins for NVIDIA's management library, for the tests of what it tells.
FAKE_NVML = nvidia-ml nvidia-ml-old

# Stand-ins for CUPTI: one that counts, and one that lacks nearly everything.
FAKE_CUPTI = $(B)/tests/fake-cupti/libcupti.so.13 $(B)/tests/fake-cupti/libcupti.so.12

# A stand-in for a GPU and its driver, and what is run on it.
SELFTESTS = selftest selftest-processes
FAKE_CUDA = lib/libcuda.so.1 device $(SELFTESTS) u-cuda u-cuda-compare u-cuda-group u-recording \
	    bin/kb bin/kb-audit bin/kb-baseline bin/kb-eval bin/kb-serve bin/kb-verify \
	    libexec/kb/kb-worker-native libexec/kb/kb_native.h \
	    $(patsubst %,libexec/kb/%,libkbrt.so $(TORCH) $(TORCH_FACTS))

# For machines with a GPU; they skip where there is none.
ON_GPU = b-cuda u-cuda u-cuda-compare u-cuda-group u-recording

tests: all $(ON_GPU:%=$(B)/tests/gpu/%) \
       $(UNITS:%=$(B)/tests/unit/%) $(FUZZ:%=$(B)/tests/fuzz/%) \
       $(FAKE_CUDA:%=$(B)/tests/fake-cuda/%) \
       $(FAKE_NVML:%=$(B)/tests/fake-nvml/lib%.so.1) $(FAKE_CUPTI) \
       $(DRIVERS:%=$(B)/tests/%) \
       $(AGAIN:%=$(B)/tests/again/%) $(AGAIN:%=$(B)/tests/again/bin/%) \
       $(RUNTIME_TESTS:%=$(B)/tests/runtime/%) $(FAKES:%=$(B)/tests/workers/%)

# Code of tests runs for a moment; to optimise it takes longer.
ifdef SANITIZE
$(B)/tests/%.o: OPTIMISE = -O0
# But not of what a stand-in for a GPU computes, and what compares that.
$(B)/tests/gpu/u-cuda-compare.o $(B)/rt/tests/fake-cuda/%.o: OPTIMISE = -O2
endif
$(B)/tests/%.o: tests/%.c | $(B)/gen/version.h $(B)/gen/torch_files.h $(B)/gen/libraries
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -Itests/runtime -c -o $@ $<

$(B)/rt/tests/%.o: tests/%.c | $(B)/gen/version.h $(B)/gen/torch_files.h $(B)/gen/libraries
	@mkdir -p $(@D)
	@echo "  CC    $< (runtime)"
	$(Q)$(CC) $(PLAIN_CFLAGS) -Itests -c -o $@ $<

.PRECIOUS: $(B)/tests/%.o $(B)/rt/tests/%.o

# The toolkit's headers, if there are any, are compared with ours.
$(B)/tests/unit/u-cuda-api.o: OBJECT_FLAGS = \
	$(patsubst %/bin/nvcc,-isystem %/include,$(NVCC))

# CUPTI's headers name one of C++ that they do not use.
$(B)/tests/unit/u-cupti-api.o: OBJECT_FLAGS = -isystem tests/fake-cupti/headers \
	$(patsubst %/bin/nvcc,-isystem %/include,$(NVCC))

$(B)/tests/%: LDFLAGS := $(GOLD) $(LDFLAGS)
$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/libkbrt.a $(LIBS)
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(DRIVERS:%=$(B)/tests/%): %: %.o $(LIBS)
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/tests/again/%: $(B)/tests/lib/again.o $(B)/src/door/cmd/%.o $(LIBS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/tests/again/bin/%: $(B)/rt/tests/lib/ask-again.o \
	$(patsubst %,$(B)/rt/src/%.o,$(call modules,base))
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(RT_LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/tests/gpu/%: $(B)/tests/gpu/%.o $(B)/libkbrt.a $(B)/libkb.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/replay.o $(B)/libkbrt.a $(LIBS)
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The same targets as fuzzers, for tests/fuzz/campaign, which has clang build all in a
# directory of its own, instrumented.
fuzzers: $(FUZZ:fuzz-%=$(B)/fuzz/%)
.PHONY: fuzzers
$(B)/fuzz/%: $(B)/tests/fuzz/fuzz-%.o $(B)/libkbrt.a $(LIBS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

$(B)/tests/fake-nvml/lib%.so.1: $(B)/rt/tests/fake-nvml/%.o
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -shared $(RT_LDFLAGS) -o $@ $^

# By their names, under which a process that has them mapped finds them.
$(B)/tests/fake-cupti/libcupti.so.13: $(B)/rt/tests/fake-cupti/cupti.o
$(B)/tests/fake-cupti/libcupti.so.12: $(B)/rt/tests/fake-cupti/old.o
$(FAKE_CUPTI):
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -shared -Wl,-soname,$(@F) $(RT_LDFLAGS) -o $@ $^ -ldl

$(B)/tests/fake-cuda/lib/libcuda.so.1: $(B)/rt/src/ground/base/alloc.o \
	$(patsubst %,$(B)/rt/tests/fake-cuda/%.o,\
		libcuda libcuda_memory libcuda_more libcuda_streams link)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -shared $(RT_LDFLAGS) -o $@ $^ -ldl -pthread

# Not instrumented: what a kernel must not touch is a fault to it, not a bug.
$(B)/tests/fake-cuda/device: $(B)/rt/src/ground/base/alloc.o \
	$(patsubst %,$(B)/rt/tests/fake-cuda/%.o,\
		device device_kernels device_memory device_streams \
		random_kernels test_kernels tile_kernels)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(RT_LDFLAGS) -o $@ $^ -lm

# The programs that use a device, with an image that the stand-in takes.
$(B)/tests/fake-cuda/bin/%: $(B)/rt/tests/fake-cuda/image.o $(B)/src/door/cmd/%.o \
	$(B)/src/door/cmd/main.o $(LIBS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(B)/tests/fake-cuda/u-%: $(B)/rt/tests/fake-cuda/image.o \
	$(B)/tests/gpu/u-%.o $(B)/libkbrt.a $(B)/libkb.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
STAND_IN_KBRT = $(filter-out $(KERNELS)/% %/cuda/patience.o,$(KBRT_OBJS))
$(B)/tests/fake-cuda/libexec/kb/kb-worker-native: \
	$(B)/rt/tests/fake-cuda/image.o $(NATIVE_OBJS) $(STAND_IN_KBRT)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(RT_LDFLAGS) -o $@ $^ -ldl -lm
$(B)/tests/fake-cuda/libexec/kb/libkbrt.so: $(B)/rt/tests/fake-cuda/image.o \
	$(STAND_IN_KBRT)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -shared $(RT_LDFLAGS) -o $@ $^ -ldl -lm
$(B)/tests/fake-cuda/libexec/kb/%: $(B)/libexec/kb/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(SELFTESTS:%=$(B)/tests/fake-cuda/%): %: %.o $(B)/libkb.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/tests/workers/%: $(B)/rt/tests/workers/%.o
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(RT_LDFLAGS) -o $@ $^ -pthread -lrt

$(B)/tests/runtime/%: $(B)/tests/runtime/%.o $(B)/tests/runtime/supervise.o $(B)/libkb.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
