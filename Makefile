# What people and .ci/run share. `make` alone lists the targets.

CARGO  ?= cargo
PREFIX ?= /usr/local

# A first build is quicker without what a second one would take up again; `make test CARGO_INCREMENTAL=1` keeps that.
CARGO_INCREMENTAL ?= 0
export CARGO_INCREMENTAL

.PHONY: help debug-gt debug-python setup setup-build setup-java setup-page setup-syzygy build demo test test-crates test-insides test-programs test-docs test-uci test-python test-page test-page-alone test-browser check-own lint docs book package screenshots bench bench-log bench-query bench-search bench-view bench-guard bench-play bench-endgame bench-python wheel test-wheel torture fuzz sanitize miri soak install uninstall publishable clean

help:
	@echo "make build       the command gt, and the C library (release)"
	@echo "make demo        build quickly, then show a search: log it, query it"
	@echo "make test        all tests; those of one kind: test-crates, test-docs, test-uci, test-python, test-page"
	@echo "make test-uci    GAMES (default 2) games of gt uci against itself, driven by python-chess"
	@echo "make test-python the Python package, in an environment of its own (target/python-tools)"
	@echo "make test-wheel  the Python package as a wheel, installed where nothing else is; PYTHON_PROFILE=dev is sooner built"
	@echo "make test-page   the viewer's page: units, and in a browser against a real server"
	@echo "make check-own   our own search held against checks/own.toml"
	@echo "make screenshots pictures of the viewer for the manual, into docs/images"
	@echo "make lint        formatting, clippy with warnings denied, and the page's rules and types"
	@echo "make docs        cargo doc, warnings denied, and the manual"
	@echo "make book        the manual alone: target/book/index.html"
	@echo "make bench       all benchmarks; alone: bench-log, bench-query, bench-search, bench-view, bench-guard, bench-play, bench-endgame, bench-python"
	@echo "make torture     random sessions, broken files, full disks, killed writers, hostile HTTP for SECONDS (default 60) each"
	@echo "make fuzz        every fuzz target for SECONDS (default 60) each"
	@echo "make sanitize    the tests of what has unsafe code, with the address sanitizer"
	@echo "make miri        the same under Miri, where the toolchain has it"
	@echo "make soak        the long tests: files over 4 GiB"
	@echo "make install     gt with man pages and completions, the C library, its header and pkg-config file below PREFIX ($(PREFIX))"
	@echo "make package     the same and the manual as a tarball, and the Python package as a wheel, in target/dist"
	@echo "make publishable every crate packaged and built from its package, in the order of publishing"

# What the tests need beside cargo: a C and a C++ compiler, pkg-config and binutils, for the C library's tests.
NEEDED = gcc g++ make pkg-config nm objcopy

setup:
	@missing=; for tool in $(NEEDED); do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	if [ -n "$$missing" ]; then \
	  echo "installing:$$missing"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -y -q gcc g++ make pkg-config binutils; \
	fi

build:
	$(CARGO) build --release --workspace

# What building needs beside cargo: a C compiler, for the compressor and for linking.
setup-build:
	@command -v cc >/dev/null || { \
	  echo "installing: gcc"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -y -q gcc libc6-dev; \
	}

demo: setup-build
	@[ -x target/quick/gt ] || echo "Building gt: about two minutes on two idle cores, the first time only."
	$(CARGO) run --profile quick --package gt-cli -- demo
	@echo "This gt, target/quick/gt, was built quickly and takes two to eight times as long as one to work with: make build, or cargo install --path crates/gt-cli"

# python-chess drives games over UCI: a tool of the tests, not shipped.
PYTHON = target/python
PYTHON_CHESS = chess==1.11.2
$(PYTHON)/chess:
	@python3 -m pip --version >/dev/null 2>&1 || { \
	  echo "installing: python3-pip"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -y -q python3 python3-pip; \
	}
	python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target $(PYTHON) $(PYTHON_CHESS)

# Syzygy tables with up to four pieces come with python-chess's source: for the tests, not shipped.
SYZYGY = target/syzygy
setup-syzygy: $(PYTHON)/chess
	@[ -e $(SYZYGY)/KRvK.rtbw ] || { \
	  python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest $(SYZYGY) $(PYTHON_CHESS) && \
	  python3 crates/gt-endgame/tests/unpack_syzygy.py $(SYZYGY)/chess-*.tar.gz $(SYZYGY); \
	} || echo "Syzygy tables cannot be fetched here: their tests are skipped"

# While the tests are built, what the others need is fetched, and what needs no build is tried; then the crates' tests run beside the
# others, in three lanes: each leaves a core idle now and then.
FETCHED = target/test-fetched.log
OTHERS = target/test-others.log
IN_BROWSER = target/test-browser.log
test: setup
	@mkdir -p target; $(MAKE) test-page-alone setup-syzygy setup-page setup-java $(PYTHON_TOOLS)/ready > $(FETCHED) 2>&1 & fetched=$$!; failed=0; \
	$(CARGO) test --workspace --no-run || failed=1; \
	wait $$fetched || failed=1; cat $(FETCHED); exit $$failed
	@echo "The tests over UCI, in Python, in the documentation and of the programs ($(OTHERS)) and those in the browser ($(IN_BROWSER)) run beside those of the crates, and are shown at the end."
	@$(MAKE) test-browser > $(IN_BROWSER) 2>&1 & browser=$$!; \
	$(MAKE) test-uci test-python test-docs test-programs > $(OTHERS) 2>&1 & others=$$!; failed=0; \
	$(MAKE) test-insides || failed=1; \
	wait $$others || failed=1; cat $(OTHERS); \
	tail -n +1 -f $(IN_BROWSER) & shown=$$!; wait $$browser || failed=1; sleep 1; kill $$shown; \
	if [ $$failed = 0 ]; then echo "All tests passed."; else echo "Some tests failed: see above."; fi; exit $$failed

# Cargo runs one program of tests after the other, and many keep only one core busy: so there are two rows, those of the crates' insides
# (`all`, `api`, `insides` and the unit tests), some of which hold games and books against python-chess, and those with other names.
test-crates: test-insides test-programs

# Crates whose tests are packages of their own: cargo would compile these again for `--lib`, whatever they say of it.
TESTED_ELSEWHERE = gt-convert gt-endgame gt-games gt-log gt-query
test-insides: $(PYTHON)/chess
	[ ! -e $(SYZYGY)/KRvK.rtbw ] || export GT_SYZYGY_REQUIRED=1; \
	$(CARGO) test --workspace $(TESTED_ELSEWHERE:%=--exclude %) --quiet --lib --bins --examples --test 'a*' --test insides
	$(CARGO) test --workspace --features gt-log-tests/off --config profile.dev.package.gt-log.opt-level=0 --test off --quiet

test-programs: $(PYTHON)/chess
	$(CARGO) test --workspace --quiet --test '[!ai]*'

# The command as the tests build it. One package by itself would be built with other features, and all it needs again.
debug-gt:
	$(CARGO) test --quiet --workspace --no-run --test commands

# The examples in the documentation of the crates.
test-docs:
	$(CARGO) test --workspace --quiet --doc

GAMES ?= 2
test-uci: $(PYTHON)/chess debug-gt
	PYTHONPATH=$(PYTHON) python3 crates/gt-cli/tests/uci_games.py target/debug/gt $(GAMES)

# The Python package: its tests and figures run in an environment of their own, with the readers of Arrow that they try.
PYTHON_TOOLS = target/python-tools
PYTHON_NEEDS = maturin==1.16.0 pytest==9.2.0 mypy numpy==2.4.6 polars==2.1.0 pyarrow==26.0.1 pandas==3.1.1 duckdb==2.0.0 \
	nbclient==0.11.0 nbformat==5.11.1 ipykernel==7.4.0 $(PYTHON_CHESS) pyspark==4.3.0 fsspec

# What is needed may have changed with the Makefile. Python compiles what is used, when it is: most never is. Spark comes as an archive,
# from which pip makes a wheel, which it unpacks: that wheel is not compressed, for Spark is 460 MB of files that are compressed already.
$(PYTHON_TOOLS)/ready: Makefile
	@python3 -m venv --help >/dev/null 2>&1 && python3 -c 'import ensurepip' 2>/dev/null || { \
	  echo "installing: python3-venv"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -y -q python3 python3-venv; \
	}
	python3 -m venv $(PYTHON_TOOLS)
	printf '[bdist_wheel]\ncompression = stored\n' > $(PYTHON_TOOLS)/wheels.cfg
	DIST_EXTRA_CONFIG='$(CURDIR)/$(PYTHON_TOOLS)/wheels.cfg' \
	$(PYTHON_TOOLS)/bin/pip install --quiet --disable-pip-version-check --no-compile $(PYTHON_NEEDS)
	touch $@

IN_PYTHON_TOOLS = cd python && PYTHONPATH='$(CURDIR)/python' VIRTUAL_ENV='$(CURDIR)/$(PYTHON_TOOLS)' PATH='$(CURDIR)/$(PYTHON_TOOLS)/bin':"$$PATH"

# Spark runs on Java; where it cannot be had, Spark's tests are skipped and say so.
setup-java:
	@command -v java >/dev/null || { \
	  echo "installing: default-jre-headless"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -y -q default-jre-headless; \
	} || echo "Java cannot be installed here: Spark's tests are skipped"

# The extension, built on what the other tests are built on: maturin would build all of it again with other features. Cargo counts the
# features that only tests need where an example, which may need them too, is built as well.
debug-python:
	$(CARGO) build --quiet --workspace --lib --example nim
	for built in target/debug/lib_gt_tools.so target/debug/lib_gt_tools.dylib; do \
	  [ ! -e $$built ] || cp $$built python/gt_tools/_gt_tools.abi3.so; \
	done

test-python: $(PYTHON_TOOLS)/ready setup-java debug-python
	$(IN_PYTHON_TOOLS) mypy --strict --no-error-summary gt_tools
	$(IN_PYTHON_TOOLS) python -m pytest --quiet

# PART=query, polars, log, fleet or spark runs one part; PYTHON_PROFILE=dev is quicker to build, and slower.
PYTHON_PROFILE ?= release
bench-python: $(PYTHON_TOOLS)/ready setup-java
	$(CARGO) build --profile $(PYTHON_PROFILE) --quiet --package gt-cli
	$(IN_PYTHON_TOOLS) maturin develop --quiet --profile $(PYTHON_PROFILE)
	$(IN_PYTHON_TOOLS) python bench/bench.py ../target/$(if $(filter dev,$(PYTHON_PROFILE)),debug,$(PYTHON_PROFILE))/gt $(PART)

wheel: $(PYTHON_TOOLS)/ready
	$(IN_PYTHON_TOOLS) maturin build --quiet --profile $(PYTHON_PROFILE) --out ../target/dist

# The wheel in an environment that has nothing else: it installs, and the package answers.
WHEEL_TOOLS = target/wheel-tools
test-wheel: wheel
	rm -rf $(WHEEL_TOOLS)
	python3 -m venv $(WHEEL_TOOLS)
	$(WHEEL_TOOLS)/bin/pip install --quiet --disable-pip-version-check --no-index --no-deps "$$(ls -t target/dist/gt_tools-*.whl | head -n 1)"
	$(WHEEL_TOOLS)/bin/pip install --quiet --disable-pip-version-check numpy
	cd $(WHEEL_TOOLS) && bin/python -c 'import gt_tools; print("gt_tools", gt_tools.__version__, "from the wheel:", gt_tools.search("tic-tac-toe", depth=3))'

check-own: debug-gt
	target/debug/gt check checks/own.toml

# The page's tests need a browser; npm brings the rest. Chromium without a window to draw takes half the time of the whole of it, and
# without what it recommends (printers, a desktop's parts) half of that.
setup-page:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
	  echo "installing: chromium"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && { \
	    $$sudo apt-get install -y -q --no-install-recommends chromium-headless-shell chromium-sandbox fonts-liberation || $$sudo apt-get install -y -q chromium; \
	  }; \
	}

PAGE = crates/gt-view/web
# Installed once, and again where the list of what is needed has changed.
PAGE_NEEDS = { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund; }

test-page: test-page-alone test-browser

# What needs no server.
test-page-alone:
	cd $(PAGE) && $(PAGE_NEEDS) && npm test

test-browser: setup-page debug-gt
	cd $(PAGE) && $(PAGE_NEEDS) && GT='$(CURDIR)/target/debug/gt' npm run test:browser

screenshots: setup-page
	$(CARGO) build --release --quiet --package gt-cli
	cd $(PAGE) && $(PAGE_NEEDS) && GT='$(CURDIR)/target/release/gt' npm run screenshots -- '$(CURDIR)/docs/images'

lint:
	$(CARGO) fmt --all --check
	cd $(PAGE) && $(PAGE_NEEDS) && npm run lint && npm run check
	$(CARGO) clippy --workspace --all-targets --quiet -- --deny warnings

docs: book
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --workspace --no-deps --quiet

# mdBook as it is needed here: no server, no watching; quickly built rather than fast.
MDBOOK_VERSION = 0.5.4
MDBOOK = target/tools/bin/mdbook

$(MDBOOK):
	$(CARGO) install mdbook --version $(MDBOOK_VERSION) --locked --debug --no-default-features --features search --root target/tools --quiet

book: $(MDBOOK)
	$(MDBOOK) build docs

bench: bench-log bench-query bench-search bench-view bench-guard bench-play bench-endgame bench-python

bench-log:
	$(CARGO) build --release --quiet --package gt-log-c
	$(CARGO) run --release --quiet --package gt-bench --bin bench-log

# PLOTS=docs/images renews the manual's.
PLOTS ?= target/bench-plots
bench-query:
	$(CARGO) run --release --quiet --package gt-bench --bin bench-query -- --plots $(PLOTS)

bench-search:
	$(CARGO) bench --quiet --package gt-games
	$(CARGO) bench --quiet --package gt-search
	$(CARGO) run --release --quiet --package gt-bench --bin bench-search

bench-view:
	$(CARGO) run --release --quiet --package gt-bench --bin bench-view

bench-endgame:
	$(CARGO) bench --quiet --package gt-endgame

bench-guard:
	$(CARGO) run --release --quiet --package gt-bench --bin bench-guard

# PART=answers, threads or matches runs one part; matches take about a quarter of an hour.
PART ?=
bench-play:
	$(CARGO) build --release --quiet --package gt-cli
	$(CARGO) run --release --quiet --package gt-bench --bin bench-play -- $(PART)

SECONDS ?= 60
SEED ?= 1

# PROFILE=dev is slower, and built with the tests: one package by itself would have other features, and all it needs again.
PROFILE ?= release
ifeq ($(PROFILE),dev)
torture:
	$(CARGO) test --quiet --workspace --no-run --test sessions
	target/debug/torture --seconds $(SECONDS) --seed $(SEED)
else
torture:
	$(CARGO) run --profile $(PROFILE) --quiet --package gt-torture -- --seconds $(SECONDS) --seed $(SEED)
endif

# A stable toolchain has the sanitizers too, behind this switch. Tests forget writers to play a crash: no leaks then.
SANITIZED = RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address ASAN_OPTIONS=detect_leaks=0
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
sanitize:
	$(SANITIZED) $(CARGO) test --target $(HOST) --target-dir target/sanitized --package gt-log-tests --package gt-query-tests
	$(SANITIZED) $(CARGO) run --target $(HOST) --target-dir target/sanitized --package gt-torture -- --seconds $(SECONDS) --seed $(SEED)

# The rooms with unsafe code that need no file and no C: packing, and the scans over it.
miri:
	@$(CARGO) miri --version >/dev/null 2>&1 || { echo "this toolchain has no Miri: rustup +nightly component add miri"; exit 1; }
	MIRIFLAGS=-Zmiri-disable-isolation PROPTEST_CASES=4 $(CARGO) miri test --package gt-log-tests --test insides
	MIRIFLAGS=-Zmiri-disable-isolation PROPTEST_CASES=4 $(CARGO) miri test --package gt-query-tests --test all goldens::

FUZZ_TARGETS = $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))
# `none` where a toolchain has no sanitizers.
FUZZ_SANITIZER ?= address

fuzz:
	$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install cargo-fuzz --locked
	set -e; for target in $(FUZZ_TARGETS); do \
	  mkdir -p fuzz/corpus/$$target; \
	  if [ $$target = reader ]; then cp crates/gt-log/tests/data/*.gtf fuzz/corpus/reader/; fi; \
	  RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --sanitizer $(FUZZ_SANITIZER) $$target -- -max_total_time=$(SECONDS) -max_len=65536; \
	done

soak:
	$(CARGO) test --release --package gt-log-tests --test all large:: -- --ignored --nocapture
	$(CARGO) test --release --package gt-query-tests --test all large:: -- --ignored --nocapture

MANDIR = $(PREFIX)/share/man/man1
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d

install:
	$(CARGO) build --release --package gt-cli
	install -d $(foreach folder,$(PREFIX)/bin $(MANDIR) $(BASHDIR) $(ZSHDIR) $(FISHDIR),'$(DESTDIR)$(folder)')
	install -m 755 target/release/gt '$(DESTDIR)$(PREFIX)/bin/gt'
	strip '$(DESTDIR)$(PREFIX)/bin/gt'
	target/release/gt man -o '$(DESTDIR)$(MANDIR)'
	target/release/gt completions bash > '$(DESTDIR)$(BASHDIR)/gt'
	target/release/gt completions zsh > '$(DESTDIR)$(ZSHDIR)/_gt'
	target/release/gt completions fish > '$(DESTDIR)$(FISHDIR)/gt.fish'
	$(MAKE) -C crates/gt-log-c install PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)'

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/gt' '$(DESTDIR)$(MANDIR)'/gt.1 '$(DESTDIR)$(MANDIR)'/gt-*.1
	rm -f '$(DESTDIR)$(BASHDIR)/gt' '$(DESTDIR)$(ZSHDIR)/_gt' '$(DESTDIR)$(FISHDIR)/gt.fish'
	$(MAKE) -C crates/gt-log-c uninstall PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)'

# A tarball that works wherever it is unpacked: the pkg-config file finds its folders from its own place.
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
PACKAGE = gt-tools-$(VERSION)-$(shell uname -m)-$(shell uname -s | tr '[:upper:]' '[:lower:]')

package: book wheel
	rm -rf target/dist/$(PACKAGE)
	$(MAKE) install PREFIX= DESTDIR='$(CURDIR)/target/dist/$(PACKAGE)'
	sed -i.was 's|^prefix=.*|prefix=$${pcfiledir}/../..|; s|^libdir=|&$${prefix}|; s|^includedir=|&$${prefix}|' target/dist/$(PACKAGE)/lib/pkgconfig/gt_log.pc
	rm target/dist/$(PACKAGE)/lib/pkgconfig/gt_log.pc.was
	install -d target/dist/$(PACKAGE)/share/doc/gt-tools
	cp -r target/book target/dist/$(PACKAGE)/share/doc/gt-tools/manual
	cp -r README.md CHANGELOG.md LICENSE-* examples target/dist/$(PACKAGE)/share/doc/gt-tools/
	tar -czf target/dist/$(PACKAGE).tar.gz -C target/dist $(PACKAGE)
	@echo target/dist/$(PACKAGE).tar.gz

publishable:
	$(CARGO) publish --workspace --dry-run

clean:
	$(CARGO) clean
