# make                build the programs
# make demo           set up, then pack, time, evaluate, score, verify and show
# make test           set up, then run every test on an instrumented build
# make check          the quick tests, for after an edit; installs nothing
# make check-all      every test, on this build; installs nothing
# make test-clang     build everything with clang, and run the unit tests
# make test-user      the tests as an ordinary user (nobody for root), in a path with spaces
# make bench          compare kb's speed with other programs'
# make gpu-test       tests that need a GPU; make gpu-bench: the figures
# make dist           one archive for machines without kb's dependencies
# make dist-both      the same for x86_64 and aarch64, by a cross compiler
# make dist-test      make the archive twice, compare, and test it
# make image          images, by docker, podman or buildah
# make image-check    make the images twice, and run the demo in them
# make flake-check    build and test flake.nix in a clone
# make release-check  these three checks, and that all print the same commit
# make fresh-check    `make demo` and `make test` on fresh Debian 12 and 13
# make slurm-check    an array of shards, interrupted and merged, on the host's Slurm
# make vm-check       users, containers, Slurm and attacks in a virtual machine (qemu)
# make arm-check      kb built for aarch64 by gcc and clang, run by qemu-user; needs root, debootstrap
# make browser-check  pages of kb-report in a headless Chromium
# make server-check   kb-generate with llama.cpp's server and random weights
# make edits          10,000 random edits of bundles, and their effects
# make interop        other tools, from PyPI if they install, on kb's files
# make check-upstream kb's problems compared with a checkout of KernelBench
# make air-gapped-check  the commands of doc/air-gapped.md, without a network
# make install        into PREFIX (/usr/local), below DESTDIR; make uninstall removes it
# make help           print this
#
#	SANITIZE=address,undefined	an instrumented build beside the plain one
#	V=1				show the commands

B ?= build
ifneq ($(word 2,$(B)),)
$(error the build directory is '$(B)': make takes no spaces there)
endif
Q = $(if $(filter 1,$(V)),,@)
PREFIX ?= /usr/local

# The user's, which come last: make CFLAGS='-O0 -g3'.
# Of an instrumented build backtraces alone are read, and for these lines do.
CFLAGS ?= $(if $(SANITIZE),-g1,-g)
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
       -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2
WERROR ?= -Werror
# What gcc guesses may be cut off varies with its release and flags. Not every
# clang has that warning, and none takes the -Wno- of one that it lacks.
knows = $(shell $(CC) -Werror $(1) -E -x c /dev/null >/dev/null 2>&1 && echo yes)
WARN := $(WARN) $(if $(call knows,-Wformat-truncation),-Wno-format-truncation)
OPTIMISE = -O2
# No fused multiply-add: generated inputs are the same on every machine.
LOOP_FLAGS =
OBJECT_FLAGS =
INCLUDES = $(UP_TO)
PLAIN_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(INCLUDES) -I$(B)/gen -fPIC \
	     -ffp-contract=off $(OPTIMISE) $(LOOP_FLAGS) $(OBJECT_FLAGS) $(WARN) $(WERROR) \
	     -MMD -MP $(CFLAGS)
ALL_CFLAGS = $(PLAIN_CFLAGS)
LDLIBS = -lcjson -larchive -lyaml -lz -lcrypto -ldl -lm

# CC=aarch64-linux-gnu-gcc is a cross compiler, with tools beside it.
CROSS := $(patsubst %gcc,%,$(filter %-linux-gnu-gcc,$(firstword $(CC))))
ifeq ($(origin AR),default)
AR := $(CROSS)ar
endif
# kb-generate alone asks servers, with libcurl if that is there. CURL_LIBS= is a
# build without it.
CURL_LIBS := $(shell $(CROSS)pkg-config --libs 'libcurl >= 7.66' 2>/dev/null)
CURL_CFLAGS := $(if $(CURL_LIBS),$(shell $(CROSS)pkg-config --cflags libcurl))

RT_LDFLAGS := $(LDFLAGS)

# CUDA kernels are compiled by nvcc and built in. Where there is no nvcc there
# are none, and the programs say so. Instrumented builds have the same ones.
ifndef NVCC
NVCC := $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
endif
KERNELS := $(B)/kernels
FATBINS  = cuda_kernels cuda_random

# Two hundred programs of tests, each linked by gold in a third of the time that the
# usual linker takes; a -fuse-ld= of the user's comes later.
GOLD := $(if $(shell $(CC) -fuse-ld=gold -Wl,--version 2>/dev/null),-fuse-ld=gold)

comma := ,
ifdef SANITIZE
# What is compiled for the tests alone is compiled in two thirds of the time.
OPTIMISE = -O1
B := $(B)-$(subst $(comma),-,$(SANITIZE))
ALL_CFLAGS += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	      -fno-omit-frame-pointer
LDFLAGS += -fsanitize=$(SANITIZE)
LDFLAGS := $(GOLD) $(LDFLAGS)
endif

# Every source of a room is of a library, but for the programs.
include src/rooms.mk
modules = $(patsubst src/%.c,%,$(wildcard src/*/$(1)/*.c))
of_storeys = $(foreach storey,$(1),$(foreach room,$($(storey)),$(call modules,$(room))))

# A storey's files see no header of a higher one; tests see all.
define include_below
UP_TO += -Isrc/$(1)
$(B)/src/$(1)/%.o $(B)/rt/src/$(1)/%.o: INCLUDES := $$(UP_TO)
endef
$(foreach storey,$(STOREYS),$(eval $(call include_below,$(storey))))

# Two libraries: to measure and to judge needs nothing of pages and exchange.
PAPER      = paper door
LIB        = $(call of_storeys,$(filter-out $(PAPER),$(STOREYS)))
LIB_OBJS   = $(LIB:%=$(B)/src/%.o) $(FATBINS:%=$(KERNELS)/%_fatbin.o) \
	     $(B)/src/ground/manifest/gradients_bytes.o
PROGRAMS   = door/cmd/kb% door/cmd/main
PAPER_LIB  = $(filter-out $(PROGRAMS) door/asking/$(if $(CURL_LIBS),no_http,http), \
	     $(call of_storeys,$(PAPER)))
PAPER_OBJS = $(PAPER_LIB:%=$(B)/src/%.o) $(B)/src/paper/pages/asset_bytes.o
LIBS       = $(B)/libkb-paper.a $(B)/libkb.a

# What runs beside a candidate: these rooms alone, and never instrumented. It
# runs inside other people's processes and under address space limits.
KBRT        = $(call modules,runtime/lib)
KBRT_ROOMS  = $(foreach room,base cuda random,$(call modules,$(room)))
KBRT_OBJS   = $(KBRT:%=$(B)/rt/src/%.o) $(KBRT_ROOMS:%=$(B)/rt/src/%.o) \
	      $(KERNELS)/cuda_random_fatbin.o
NATIVE_OBJS = $(B)/rt/src/run/runtime/native/worker.o $(B)/rt/src/run/runtime/native/problem.o

# What a fork server loads, which runs inside other people's processes as well.
FORKED      = become calls cgroup_fork confine landlock log monitor mounts pass_fd \
	      private_tmp root scratch served spawn_bytes stopped syscall_filter notify
FORKED_OBJS = $(FORKED:%=$(B)/rt/src/run/confine/%.o) \
	      $(patsubst %,$(B)/rt/src/%.o,$(call modules,base)) \
	      $(B)/rt/src/ground/json/utf8.o

BINS    = $(basename $(notdir $(wildcard src/door/cmd/kb*.c)))
# Files of a torch worker, of an audit beside these, and of a question.
TORCH       = kb_torch.py $(patsubst %,kb_torch_%.py,answers build calls compiling cuda draws \
	      errors failures fp64 halves headers host library options pkb ranks recording screened \
	      sources state worker written)
TORCH_AUDIT = $(patsubst %,kb_torch_%.py,alone audit difference noise problem \
	      removal)
TORCH_FACTS = kb_torch_facts.py
FORK_SERVER = libkbfork.so kb_torch_server.py
LIBEXEC = kb-worker-native libkbrt.so kb_native.h $(TORCH) $(TORCH_AUDIT) $(TORCH_FACTS) \
	  $(FORK_SERVER)

PROMPTS = $(wildcard prompts/*.* prompts/*/*.*)

# A build whose programs run here: another one where CC is a cross compiler, such
# as make B=build-arm HOST_B=build CC=aarch64-linux-gnu-gcc NVCC=.
HOST_B ?= $(B)

# Made from the programs' option tables. Shells look for them by the name of the
# command that is completed.
COMPLETIONS = bash-completion/completions/kb zsh/site-functions/_kb \
	      fish/vendor_completions.d/kb.fish

all: $(BINS:%=$(B)/bin/%) $(LIBEXEC:%=$(B)/libexec/kb/%) \
     $(PROMPTS:%=$(B)/share/kb/%) $(COMPLETIONS:%=$(B)/share/%) \
     $(B)/share/kb/problems

$(B)/bin/%: $(B)/src/door/cmd/%.o $(B)/src/door/cmd/main.o $(LIBS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/bin/kb-generate: LDLIBS += $(CURL_LIBS)
$(B)/src/door/asking/http.o: OBJECT_FLAGS = $(CURL_CFLAGS)

$(B)/libkb.a: $(LIB_OBJS)
$(B)/libkb-paper.a: $(PAPER_OBJS)
$(LIBS):
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(B)/libexec/kb/kb-worker-native: $(NATIVE_OBJS) $(KBRT_OBJS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) $(RT_LDFLAGS) -o $@ $(filter %.o,$^) -ldl -lm

$(B)/libexec/kb/libkbrt.so: $(KBRT_OBJS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -shared $(RT_LDFLAGS) -o $@ $(filter %.o,$^) -ldl -lm

$(B)/libexec/kb/libkbfork.so: $(FORKED_OBJS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -shared $(RT_LDFLAGS) -Wl,-z,defs -o $@ $(filter %.o,$^)

$(B)/libexec/kb/%.py: src/run/runtime/torch/%.py
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(B)/libexec/kb/kb_native.h: src/run/runtime/native/kb_native.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(B)/share/kb/prompts/%: prompts/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

# Where the programs look for the problems that come with them.
$(B)/share/kb/problems:
	@mkdir -p $(@D)
	$(Q)ln -sfn "$(CURDIR)/problems" $@

$(COMPLETIONS:%=$(B)/share/%): $(BINS:%=$(B)/bin/%)
	@mkdir -p $(@D)
	@echo "  GEN   $@"
	$(Q)$(HOST_B)/bin/kb completion \
		$(patsubst %-completion,%,$(firstword $(subst /, ,$(@:$(B)/share/%=%)))) \
		>$@.tmp && mv $@.tmp $@

$(B)/%.o: %.c | $(B)/gen/version.h $(B)/gen/torch_files.h $(B)/gen/libraries
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/rt/%.o: %.c | $(B)/gen/version.h $(B)/gen/torch_files.h $(B)/gen/libraries
	@mkdir -p $(@D)
	@echo "  CC    $< (runtime)"
	$(Q)$(CC) $(PLAIN_CFLAGS) -c -o $@ $<

$(KERNELS)/cuda_kernels.fatbin: src/run/device/kernels.cu
$(KERNELS)/cuda_random.fatbin: src/ground/random/random.cu
$(FATBINS:%=$(KERNELS)/%.fatbin): tools/fatbin
	@mkdir -p $(@D)
	$(if $(NVCC),@echo "  NVCC  $(firstword $(filter %.cu,$^))")
	$(Q)tools/fatbin "$(NVCC)" $(firstword $(filter %.cu,$^)) $@

$(KERNELS)/%_fatbin.o: src/ground/cuda/fatbin.S $(KERNELS)/%.fatbin
	@echo "  AS    $@"
	$(Q)$(CC) -c -DNAME=kb_$*_fatbin -DNAME_BYTES=kb_$*_fatbin_bytes \
		-DFATBIN='"$(KERNELS)/$*.fatbin"' -o $@ $<

$(B)/src/paper/pages/asset_bytes.o: $(addprefix src/paper/pages/,page.css chart.css page.js)
$(B)/src/ground/manifest/gradients_bytes.o: $(wildcard src/ground/manifest/gradients_?.py)
$(B)/src/%_bytes.o: src/%_bytes.S
	@mkdir -p $(@D)
	@echo "  AS    $@"
	$(Q)$(CC) -c -o $@ $<

# Loops written to be vectorised; see base/clones.h.
$(addsuffix /%.o,$(B)/src/ground/random $(B)/rt/src/ground/random $(B)/src/run/device): \
	LOOP_FLAGS = -O3 -fno-math-errno -fno-trapping-math

include tests/rules.mk

check: tests
	@tests/run --quick $(B)
check-all: tests
	@tests/run $(B)

# What README says to type: set-up included, and on all processors.
ON_ALL = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$$(nproc))
test:
	@tools/setup test
	+@$(ON_ALL) SANITIZE=address,undefined check-all
test-clang:
	@tools/setup clang
	+@$(ON_ALL) CC=clang B=$(B)-clang CFLAGS=-O0 tests
	@CC=clang tests/run $(B)-clang unit headers
test-user:
	@tools/setup test
	@tests/as-user
demo:
	@echo "demo: four minutes on two idle processors, and longer where packages download slowly"
	@echo "demo: built $(if $(NVCC),with CUDA kernels: by $(NVCC),without CUDA kernels: there is no nvcc)"
	@tools/setup demo
	@$(MAKE) --no-print-directory all
	@tools/demo $(B)/bin archives

# FRESH: where roots are kept. WHICH: see tests/fresh.
FRESH ?= $(B)-fresh
fresh-check:
	@tests/fresh "$(FRESH)" $(WHICH)

slurm-check: all
	@tests/slurm $(B)/bin

# VM: where the machine's disk is, or is made. PARTS: see tests/vm/check.
VM ?= $(B)-vm
vm-check: all tests
	@tests/vm/check $(B) "$(VM)" $(PARTS)

# ARM: where roots of aarch64 are, or are made. PARTS: see tests/arm/check.
ARM ?= $(B)-arm-roots
arm-check: all
	@B="$(B)" tests/arm/check "$(ARM)" $(PARTS)

# On a machine with a GPU; the tools must be built and torch be there.
gpu-test: all $(ON_GPU:%=$(B)/tests/gpu/%)
	@tests/gpu/run $(B)
gpu-bench: all $(ON_GPU:%=$(B)/tests/gpu/%)
	@tests/gpu/bench $(B)

# Our KernelBench problems against upstream's, for who has a checkout of them.
DEVICE ?= cpu
check-upstream:
	@test -n "$(KERNELBENCH)" || \
		{ echo "which checkout? make $@ KERNELBENCH=DIR" >&2; exit 2; }
	@$$(tools/find-python) tests/upstream/check.py "$(KERNELBENCH)" \
		--device $(DEVICE)

# Installs tools of others below $(B); KERNELBENCH=DIR for upstream's scripts.
# EDITS_SEED draws others.
EDITS_SEED ?= 1
edits: all $(AGAIN:%=$(B)/tests/again/%)
	$(Q)p=$$(tools/find-python); "$${p:-python3}" tests/forged/check $(B)/bin --edits 10000 \
		--seed "$(EDITS_SEED)" --table

browser-check: all
	@$$(tools/find-python) tests/browser/check $(B)/bin

server-check: all
	@tests/llama-server $(B)/bin

interop: all
	@KERNELBENCH="$(KERNELBENCH)" tests/interop/run "$(B)"

bench: all $(B)/tests/bench/score $(B)/tests/bench/start
	@tools/bench $(B)

TREE = $(DESTDIR)$(PREFIX)
# Documents link to these, and to kernels and results of ours, which
# are in the repository alone.
install: all
	@echo "  INST  $(TREE)/bin"
	$(Q)install -d "$(TREE)/bin" "$(TREE)/libexec/kb" "$(TREE)/share/kb" \
		"$(TREE)/share/doc/kb/doc/notebook"
	$(Q)install $(BINS:%=$(B)/bin/%) "$(TREE)/bin"
	@echo "  INST  $(TREE)/libexec/kb"
	$(Q)install $(B)/libexec/kb/kb-worker-native "$(TREE)/libexec/kb"
	$(Q)install -m 644 $(filter-out %/kb-worker-native, \
		$(LIBEXEC:%=$(B)/libexec/kb/%)) "$(TREE)/libexec/kb"
	@echo "  INST  $(TREE)/share/kb"
	$(Q)cp -r problems manifests prompts "$(TREE)/share/kb"
	$(Q)install -d "$(TREE)/share/kb/adapters"
	$(Q)install adapters/*.py "$(TREE)/share/kb/adapters"
	$(Q)install tools/kb-slurm tools/kb-prompts "$(TREE)/share/kb"
	@echo "  INST  $(TREE)/share: completion"
	$(Q)for file in $(COMPLETIONS); do \
		install -Dm 644 $(B)/share/$$file "$(TREE)/share/$$file"; done
	$(Q)for name in $(filter-out kb,$(BINS)); do \
		ln -sf kb "$(TREE)/share/bash-completion/completions/$$name"; \
		ln -sf kb.fish \
			"$(TREE)/share/fish/vendor_completions.d/$$name.fish"; done
	@echo "  INST  $(TREE)/share/doc/kb"
	$(Q)install -m 644 *.md LICENSE "$(TREE)/share/doc/kb"
	$(Q)install -m 644 doc/*.md "$(TREE)/share/doc/kb/doc"
	$(Q)install -m 644 doc/notebook/*.md "$(TREE)/share/doc/kb/doc/notebook"
	$(Q)for name in manifests problems; do \
		ln -sfn ../../kb/$$name "$(TREE)/share/doc/kb/$$name"; done
	@echo "  INST  $(TREE)/share/man"
	$(Q)for page in doc/kb*.[1-8]; do \
		man=man/man$${page##*.}/$${page##*/}; \
		install -Dm 644 $$page "$(TREE)/share/$$man" && \
		ln -sf ../../../$$man "$(TREE)/share/doc/kb/$$page"; done

# Those that a system has of its own, such as share/man, stay.
MADE_DIRS = libexec $(addprefix share/,man/man1 man/man5 man/man7 \
	bash-completion/completions bash-completion zsh/site-functions zsh \
	fish/vendor_completions.d fish)

uninstall:
	@echo "  RM    $(TREE)"
	$(Q)rm -rf "$(TREE)/libexec/kb" "$(TREE)/share/kb" "$(TREE)/share/doc/kb"
	$(Q)rm -f $(BINS:%="$(TREE)/bin/%") $(COMPLETIONS:%="$(TREE)/share/%") \
		$(BINS:%="$(TREE)/share/bash-completion/completions/%") \
		$(BINS:%="$(TREE)/share/fish/vendor_completions.d/%.fish")
	$(Q)for page in doc/kb*.[1-8]; do \
		rm -f "$(TREE)/share/man/man$${page##*.}/$${page##*/}"; done
	$(Q)for dir in $(MADE_DIRS); do \
		rmdir "$(TREE)/$$dir" 2>/dev/null || :; done

help:
	@sed '/^#/!Q; s/^# \{0,1\}//' $(firstword $(MAKEFILE_LIST))

# Rewritten only when they say something new.
rewrite = { cmp -s $@.tmp $@ || mv $@.tmp $@; }; rm -f $@.tmp
$(B)/gen/version.h: FORCE
	@mkdir -p $(@D)
	$(Q)tools/version-h >$@.tmp && $(rewrite)
$(B)/gen/torch_files.h: FORCE
	@mkdir -p $(@D)
	$(Q){ echo '#define KB_TORCH_FILES $(TORCH:%="%",)' && \
		echo '#define KB_TORCH_AUDIT_FILES $(TORCH_AUDIT:%="%",)'; } \
		>$@.tmp && $(rewrite)
# KernelBench's names of its problems are the names of our files.
$(B)/src/paper/import/kernelbench_names.o: $(B)/gen/kernelbench_files.h
$(B)/gen/kernelbench_files.h: FORCE
	@mkdir -p $(@D)
	$(Q)for level in 1 2 3 4; do echo "#define KB_LEVEL$${level}_FILES \\" && \
		(cd problems/kernelbench/level$$level && LC_ALL=C ls *.py) | \
		LC_ALL=C sort -n | sed 's/.*/	"&", \\/' && echo; \
		done >$@.tmp && $(rewrite)
# Asked once, so that what is missing is named and not found out.
$(B)/gen/libraries:
	@mkdir -p $(@D)
	$(Q)tools/check-libraries $(CC) $(CFLAGS) && touch $@
$(B)/gen/modules: FORCE
	@mkdir -p $(@D)
	$(Q)echo $(LIB) $(PAPER_LIB) $(KBRT) >$@.tmp && $(rewrite)
FORCE:

# No object is newer when a module is gone.
$(LIBS) $(B)/libkbrt.a $(B)/libexec/kb/libkbrt.so $(B)/libexec/kb/libkbfork.so \
	$(B)/libexec/kb/kb-worker-native: $(B)/gen/modules

clean:
	rm -rf build build-*

# The portable build: other people's libraries linked statically, all but
# glibc's; see kb-dist(7). Made from nothing each time, with its own flags.
MACHINE    = $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
DIST_B     = $(B)-portable$(CROSS:%-linux-gnu-=-%)
DIST_NAME  = kb-$(shell cat VERSION)-$(MACHINE)
DIST       = $(DIST_B)/$(DIST_NAME).tar.gz
# Quoted for the shell: this path may have spaces.
DIST_MAP   = '-ffile-prefix-map=$(CURDIR)=.'
GLIBC_LIBS = -lm -ldl -lpthread -lrt
# What our functions do not reach of a library need not be linked, and so not
# the libraries that it alone would need. Debian 13's OpenSSL calls two.
DIST_LIBS  = -Wl,--gc-sections -L$(DIST_B)/lib \
	     $(patsubst -l%,-l:lib%.a,$(filter-out $(GLIBC_LIBS),$(LDLIBS))) \
	     -l:libz.a -l:libzstd.a \
	     $(filter $(GLIBC_LIBS),$(LDLIBS))
DIST_MAKE  = CFLAGS="$(DIST_MAP)" LDFLAGS= $(MAKE) --no-print-directory \
	     B=$(DIST_B) LDLIBS="$(DIST_LIBS)" CURL_LIBS= SANITIZE=

dist:
	@CC="$(CC)" tools/setup dist $(B)-sources
	$(Q)rm -rf $(DIST_B)
	$(Q)CC="$(CC)" AR="$(AR)" CFLAGS=-O2 tools/static-cjson \
		$(B)-sources $(DIST_B)/lib/libcjson.a
	+$(Q)$(DIST_MAKE) all
	+$(Q)$(DIST_MAKE) -s install DESTDIR=$(DIST_B)/tree/ PREFIX=$(DIST_NAME)
	$(Q)CC="$(CC)" tools/dist \
		$(DIST_B) $(DIST_B)/tree/$(DIST_NAME) $(DIST)
# For sites whose login nodes are of another kind: both in one, and a bin that
# takes the node's own.
dist-both: dist
	+$(Q)$(MAKE) --no-print-directory dist CC=aarch64-linux-gnu-gcc HOST_B=$(DIST_B)
	$(Q)tools/dist-both $(DIST_B)/kb-$(shell cat VERSION).tar.gz $(DIST) \
		$(B)-portable-aarch64/kb-$(shell cat VERSION)-aarch64.tar.gz
dist-test: dist
	@CC="$(CC)" tests/dist $(DIST) $(B)-sources

# IMAGE_BASE, IMAGE_TOOL and IMAGE_FLAGS: see tools/image. NIXPKGS: in place of the
# one that is pinned.
image:
	@tools/image
flake-check:
	@tests/flake $(NIXPKGS)
image-check:
	@tests/image

# WAYS, NODE_ROOT: see tests/air-gapped.
air-gapped-check:
	@tests/air-gapped $(WAYS)

release-check: dist-test flake-check image-check
	@tools/release-check $(DIST) $(NIXPKGS)

.PHONY: air-gapped-check all arm-check bench browser-check check check-all check-upstream clean demo dist dist-both dist-test edits flake-check fresh-check gpu-bench gpu-test help image image-check install interop release-check server-check slurm-check test test-clang test-user tests uninstall vm-check FORCE
# Objects stay. They are not .SECONDARY: what is linked from one that is not
# there yet would count as made, if only the source is older.
.PRECIOUS: $(B)/%.o $(B)/rt/%.o
-include $(shell find $(B) $(KERNELS) -name '*.d' -type f 2>/dev/null)
