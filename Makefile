# Everything a user or developer of Loom runs. `make help` lists it.
#
# Each target first sees to its set-up level (scripts/setup.sh); with everything in place that costs 10 ms.

SHELL := /bin/bash
OUT := $(or $(CARGO_TARGET_DIR),target)
CARGO := cargo
RELEASE := --release --workspace --locked

.PHONY: help demo build test test-full fuzz bench fmt lint clean setup-build setup-test setup-bench
.DEFAULT_GOAL := help
# One set-up at a time; cargo uses the cores.
.NOTPARALLEL:

help:
	@echo 'make demo       install what is missing, build, run Loom on real input and show what comes out'
	@echo 'make test       the same set-up, then every test'
	@echo
	@echo 'make build      build every tool into $(OUT)/release'
	@echo 'make lint       formatting and clippy, warnings denied'
	@echo 'make fmt        format the Rust sources'
	@echo 'make test-full  make test and the tests too long for it'
	@echo 'make fuzz       the fuzz tests for FUZZ_SECONDS each (default 60)'
	@echo 'make bench      the figures: start-up and the benchmarks of each part'
	@echo 'make clean      remove what was built (installed packages stay)'

demo: build
	@scripts/demo.sh $(OUT)/release

# cargo takes no `+` in a target's name, so the C++ face of loom-cc is a symlink made here.
build: setup-build
	@$(CARGO) build $(RELEASE)
	@[ -L $(OUT)/release/loom-c++ ] || ln -s loom-cc $(OUT)/release/loom-c++

test: setup-test build
	@scripts/test.sh

# The long tests carry #[ignore = "test-full: why"].
test-full: setup-bench build
	@scripts/test.sh --include-ignored

FUZZ_SECONDS ?= 60
fuzz: setup-test build
	@scripts/fuzz.sh $(FUZZ_SECONDS)

bench: setup-bench build
	@$(CARGO) bench --workspace --locked --bench '*'

fmt:
	@$(CARGO) fmt --all

# In the release profile, so that the build scripts' work (the engine's C++) is shared with the build.
lint: setup-build
	@$(CARGO) fmt --all --check
	@$(CARGO) clippy $(RELEASE) --all-targets -- -D warnings

clean:
	@$(CARGO) clean

setup-build setup-test setup-bench: setup-%:
	@scripts/setup.sh $*
