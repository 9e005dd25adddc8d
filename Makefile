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

.PHONY: help
help: ## say what can be made
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; do \
	  printf '  make %-16s %s\n' "$$name" "$$text"; done

.PHONY: demo
demo: tools-demo build ## install what is missing, build, process the sample
	@Scripts/demo $(BUILD)

.PHONY: test
test: tools-test ## everything the tests need, and the tests
	$(SWIFT_BUILD) --build-tests
	@Scripts/assemble-components $(CONFIG)
	@Scripts/build-codecs $(CONFIG)
	@Scripts/check-sources
	@Scripts/run-tests $(CONFIG)

.PHONY: build
build: tools-build ## build the program, the units that ship, and the codecs
	@$(SWIFT_BUILD)
	@Scripts/assemble-components $(CONFIG)
	@Scripts/build-codecs $(CONFIG)
	@Scripts/build-openal $(CONFIG)

.PHONY: codecs
codecs: tools-codecs ## build the codec for AAC, AC-3 and video sound tracks alone
	@mkdir -p $(BUILD)
	@Scripts/build-codecs $(CONFIG) --required

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

.PHONY: uninstall
uninstall: ## remove exactly what `make install` put under PREFIX
	@Scripts/uninstall "$(PREFIX)" "$(DESTDIR)"

.PHONY: package
package: tools-package build ## make a tarball that runs wherever it is unpacked, and Debian packages, in dist/
	@Scripts/package --build $(BUILD)

.PHONY: check-package
check-package: package ## try the tarball, and the packages in a new Debian (as root)
	@Scripts/check-package dist

.PHONY: wheel
wheel: tools-package build ## make the Python package, with the program in it, in dist/
	@Scripts/build-wheel --build $(BUILD)

.PHONY: check-wheel
check-wheel: wheel ## try the Python package where nothing else of Auricle is
	@Scripts/check-wheel dist

.PHONY: check-clusters
check-clusters: tools-clusters build ## run shards under Slurm's own daemons on this machine (as root)
	@Scripts/check-clusters $(BUILD)

.PHONY: check-engines
check-engines: tools-clusters build ## run shards by Ray, over S3, and by the recipes for other engines (packages from PyPI)
	@Scripts/check-engines $(BUILD)

.PHONY: check-servers
check-servers: tools-servers build ## play through PipeWire, PulseAudio's plug-in and JACK, headless
	@Scripts/check-servers $(BUILD)

.PHONY: check-privileges
check-privileges: tools-privileges build ## play as root, as nobody, and with rtkit's daemon (as root)
	@Scripts/check-privileges $(BUILD)

.PHONY: check-announcements
check-announcements: tools-announcements build ## announce a MIDI session with Avahi in a network of its own, and find it (as root)
	@Scripts/check-announcements $(BUILD)

.PHONY: check-kernel-alsa
check-kernel-alsa: tools-kernel-alsa build ## play on the cards of a real kernel in QEMU, and through its MIDI sequencer
	@Scripts/check-kernel-alsa $(BUILD)

.PHONY: lint
lint: tools-lint ## check the layout of the source, who imports whom, and sizes
	@Scripts/format lint
	@Scripts/check-sources
	@Scripts/check-architecture
	@Scripts/list-realtime --check
	@Benchmarks/list-figures --check

.PHONY: format
format: toolchain ## rewrite the source in the layout wanted
	@Scripts/format fix

.PHONY: check-realtime
check-realtime: tools-test build ## run the render code under RealtimeSanitizer and a counter of allocations
	@Scripts/check-realtime

.PHONY: benchmark-graph
benchmark-graph: tools-benchmark build ## measure what a node of a graph costs beside bare calls
	@Benchmarks/graph
	@$(BUILD)/node-benchmark

.PHONY: check-sdk
check-sdk: tools-test build ## build a plug-in in Swift outside of the tree against the SDK as it is installed
	@Scripts/check-sdk $(BUILD)

.PHONY: check-threads
check-threads: tools-test ## run the render code under ThreadSanitizer (BUNDLES="Filters Delay" for some)
	@Scripts/check-threads $(BUNDLES)

.PHONY: check-edits
check-edits: tools-test ## check 10,000 random edits of a graph that plays under ThreadSanitizer
	@AURICLE_EDITS=10000 Scripts/check-threads

.PHONY: benchmark
benchmark: tools-benchmark build ## measure speed and memory against other programs
	@Benchmarks/run

.PHONY: census
census: tools-benchmark build ## run every LV2 plug-in and preset installed, and compare it with a bare host
	@Stress/lv2-census --output Stress/census.tsv
	@Stress/lv2-presets

.PHONY: fuzz-bundles
fuzz-bundles: tools-test ## damage 10,000 LV2 bundles: no crash, no hang, a message or a clean load
	$(SWIFT_BUILD) --build-tests
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

.PHONY: benchmark-batch
benchmark-batch: tools-benchmark build ## measure batches: against other programs, and of 100,000 files
	@Benchmarks/batch
	@Benchmarks/batch-cpu
	@Benchmarks/many-files

.PHONY: fuzz
fuzz: tools-test ## fuzz our own parsers, 10 million executions each (FUZZ_RUNS for another number)
	$(SWIFT_BUILD)
	@Scripts/fuzz

.PHONY: check-fuzz
check-fuzz: tools-test ## fuzz our own parsers in short with a fixed seed, as CI does
	$(SWIFT_BUILD)
	@FUZZ_SANITIZERS=fuzzer Scripts/fuzz -n 20000 -s 1

.PHONY: clean
clean: ## remove what was built
	@rm -rf .build demo-out dist

.PHONY: check-page
check-page: tools-page ## open the page of 100,000 files in a browser: in time, two widths, light and dark
	$(SWIFT_BUILD) --build-tests
	@AURICLE_PAGE_SECONDS=3 swift test -c $(CONFIG) --skip-build --filter ManyFilesPageTests

# What a target needs on the machine: the toolchain, and packages of Scripts/packages.txt.
.PHONY: toolchain tools-build tools-codecs tools-demo tools-install tools-lint tools-test tools-benchmark tools-page tools-package tools-clusters tools-servers tools-privileges tools-announcements tools-kernel-alsa
toolchain:
	@Scripts/check-toolchain
tools-build: toolchain
	@Scripts/install-packages build codecs
tools-codecs: toolchain
	@Scripts/install-packages codecs
tools-demo: toolchain
	@Scripts/install-packages build codecs demo
tools-install: toolchain
	@Scripts/install-packages build codecs install
tools-lint: toolchain
	@Scripts/install-packages lint
tools-test: toolchain
	@Scripts/install-packages build codecs install test
tools-page: toolchain
	@Scripts/install-packages build codecs install test page
tools-servers: toolchain
	@Scripts/install-packages build codecs servers
tools-privileges: toolchain
	@Scripts/install-packages build codecs privileges
tools-announcements: toolchain
	@Scripts/install-packages build codecs announcements

tools-kernel-alsa: toolchain
	@Scripts/install-packages build codecs kernel-alsa
tools-clusters: toolchain
	@Scripts/install-packages build codecs clusters
tools-package: toolchain
	@Scripts/install-packages build codecs install package
tools-benchmark: toolchain
	@Scripts/install-packages build codecs benchmark
