# Everything one does with the source tree. `make help` lists it.
# SPDX-License-Identifier: Apache-2.0

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=
CONFIG ?= release
BUILD := .build/$(CONFIG)
SWIFT_BUILD := swift build -c $(CONFIG)
# For releases: the same bytes wherever the checkout is. In a folder of their own, since other flags build everything anew.
ifdef REPRODUCIBLE
BUILD := .build-release/$(CONFIG)
SWIFT_BUILD += --scratch-path .build-release -Xcc -ffile-prefix-map=$(CURDIR)=/auricle -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=/auricle
endif

.PHONY: help
help: ## say what can be made
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; do \
	  printf '  make %-16s %s\n' "$$name" "$$text"; done

.PHONY: demo
demo: tools-demo build ## install what is missing, build, process the sample
	@Scripts/demo $(BUILD)

.PHONY: test
test: build-tests ## everything the tests need, and the tests
	@Scripts/check-sources
	@Scripts/run-tests $(CONFIG)

.PHONY: build
build: tools-build ## build the program, the units that ship, and the codecs
	@$(SWIFT_BUILD)
	@Scripts/assemble-components $(BUILD)
	@Scripts/build-codecs $(BUILD)
	@Scripts/build-window $(BUILD)
	@Scripts/build-adapters $(BUILD)
	@Scripts/build-openal $(BUILD)
	@Scripts/build-apple-audio $(BUILD)

.PHONY: build-tests
build-tests: tools-test ## build all that `make build` does, and the tests
	$(SWIFT_BUILD) --build-tests
	@Scripts/assemble-components $(CONFIG)
	@Scripts/build-codecs $(CONFIG)
	@Scripts/build-window $(CONFIG)
	@Scripts/build-adapters $(CONFIG)
	@Scripts/build-openal $(CONFIG)
	@Scripts/build-apple-audio $(CONFIG)

.PHONY: codecs
codecs: tools-codecs ## build the codec for AAC, AC-3 and video sound tracks alone
	@mkdir -p $(BUILD)
	@Scripts/build-codecs $(CONFIG) --required

.PHONY: window
window: tools-window ## build the program that shows windows of plug-ins alone
	@mkdir -p $(BUILD)
	@Scripts/build-window $(CONFIG) --required

.PHONY: docs-pictures
docs-pictures: build ## draw the pictures of the guides of units and presets anew
	@Scripts/draw-pictures $(BUILD)/auricle

.PHONY: reference
reference: tools-build ## make the API reference of AuricleSDK as HTML, where the toolchain has docc
	@$(SWIFT_BUILD) --target AuricleSDK
	@Scripts/build-reference $(BUILD) $(BUILD)/Reference --strict || [ $$? = 69 ]

.PHONY: install
install: tools-install build ## install under PREFIX (default /usr/local), staged in DESTDIR
	@Scripts/build-reference $(BUILD) $(BUILD)/Reference > /dev/null 2>&1 \
	  || echo "The API reference is left out: the toolchain has no docc (make reference says more)."
	@Scripts/install "$(PREFIX)" "$(DESTDIR)" $(BUILD)

.PHONY: install-plugins
install-plugins: build ## put the units that ship into other hosts, below PLUGINS (default: the home folder)
	@Scripts/install-plugins $(BUILD) "$(or $(PLUGINS),$(HOME))"

.PHONY: uninstall
uninstall: ## remove exactly what `make install` put under PREFIX
	@Scripts/uninstall "$(PREFIX)" "$(DESTDIR)"

.PHONY: package
package: tools-package build ## make a tarball that runs wherever it is unpacked, and Debian packages, in dist/
	@Scripts/package --build $(BUILD)

.PHONY: wheel
wheel: tools-package build ## make the Python package, with the program in it, in dist/
	@Scripts/build-wheel --build $(BUILD)

.PHONY: image
image: tools-image build ## make the image for containers in dist/, from the tarball
	@ls dist/auricle-*-linux-*.tar.xz > /dev/null 2>&1 || Scripts/package --build $(BUILD) --only tarball
	@Scripts/build-image dist

.PHONY: release
release: tools-package tools-image ## make all of a release in dist/: packages, wheel, image, notes, checksums (TAG=1: and the tag)
	@$(MAKE) --no-print-directory build REPRODUCIBLE=1
	@Scripts/release --build .build-release/$(CONFIG) $(if $(TAG),--tag)

.PHONY: check
check: ## run a check that the gate leaves out: make check WHAT=threads; WHAT=list names them
	@Scripts/check $(WHAT)

.PHONY: check-all
check-all: ## run every check: before a release, and before an issue is called resolved
	@Scripts/check all

.PHONY: lint
lint: tools-lint ## check the layout of the source, who imports whom, and sizes
	@Scripts/format lint
	@Scripts/check-sources
	@Scripts/check-programs
	@Scripts/check-removals
	@Scripts/check-architecture
	@Scripts/list-modules --check
	@Scripts/list-realtime --check
	@Benchmarks/list-figures --check

.PHONY: format
format: toolchain ## rewrite the source in the layout wanted
	@Scripts/format fix

.PHONY: benchmark
benchmark: tools-benchmark build ## measure speed and memory against other programs (WHAT=graph or batch: of these)
	@case "$(WHAT)" in \
	  graph) Benchmarks/graph && $(BUILD)/node-benchmark ;; \
	  batch) Benchmarks/batch && Benchmarks/batch-cpu && Benchmarks/many-files ;; \
	  '') Benchmarks/run ;; \
	  *) echo "benchmark: WHAT is graph or batch, or nothing for the peers" >&2; exit 64 ;; \
	esac

.PHONY: census
census: tools-benchmark build ## run every LV2 plug-in and preset installed, and compare it with a bare host
	@Stress/lv2-census --output Stress/census.tsv
	@Stress/lv2-presets

.PHONY: fuzz-bundles
fuzz-bundles: build-tests ## damage 10,000 LV2 bundles: no crash, no hang, a message or a clean load
	@AURICLE_FUZZ_CASES=10000 swift test -c $(CONFIG) --skip-build --filter BundleFuzzTests

.PHONY: fuzz-audio
fuzz-audio: tools-build build ## process 100,000 damaged audio files: no crash, no hang, a result or a reason each
	@Stress/fuzz-audio --program $(BUILD)/auricle --files $${AURICLE_FUZZ_FILES:-100000}

.PHONY: torture
torture: tools-build build ## batches: a thousand kills, power cuts, every call failed, hostile plug-ins, full disks
	@Stress/torture --program $(BUILD)/auricle
	@Stress/faults --program $(BUILD)/auricle
	@Stress/mounts --program $(BUILD)/auricle
	@Stress/power-cuts --program $(BUILD)/auricle
	@Stress/hostile --program $(BUILD)/auricle

.PHONY: campaigns
campaigns: ## run every campaign of Stress/ in its short form (SEED for another seed)
	@Scripts/check campaigns

.PHONY: fuzz
fuzz: tools-test build ## fuzz our own parsers, 10 million executions each (FUZZ_RUNS for another number)
	@Scripts/fuzz

.PHONY: clean
clean: ## remove what was built
	@rm -rf .build .build-release demo-out dist

# What a target needs on the machine: the toolchain, and sections of Scripts/packages.txt.
.PHONY: toolchain tools-build tools-codecs tools-window tools-demo tools-install tools-lint tools-test tools-benchmark tools-package tools-image
toolchain:
	@Scripts/check-toolchain
tools-build tools-codecs tools-window: toolchain
	@Scripts/install-packages build codecs window
tools-demo tools-install tools-benchmark: tools-%: toolchain
	@Scripts/install-packages build codecs window $*
tools-test tools-package tools-image: tools-%: toolchain
	@Scripts/install-packages build codecs window install $*
tools-lint: toolchain
	@Scripts/install-packages lint
