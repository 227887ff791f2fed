# SPDX-License-Identifier: Apache-2.0
# `make` alone lists what there is.

SOURCES = Package.swift Sources Tests

.DEFAULT_GOAL := help
.PHONY: help setup build release install uninstall deb test sanitize torture fuzz lint format bench demo docs clean

help:
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what the build needs from the system, if anything is missing
	scripts/setup.sh build

build: setup ## build everything for development: .build/debug/syncjob
	swift build

release: setup ## build what to install: .build/syncjob and .build/syncjob-tags, stripped, without need of a Swift runtime
	swift build -c release --static-swift-stdlib -Xlinker --no-export-dynamic --product syncjob
	strip -o .build/syncjob .build/release/syncjob
	clang++ -std=c++17 -O2 -s -o .build/syncjob-tags Sources/syncjob-tags/*.cpp -ltag
	scripts/check-release

install: ## put what `make release` built into PREFIX (/usr/local), below DESTDIR; builds nothing
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

uninstall: ## remove what `make install` put there, with the same PREFIX and DESTDIR
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install --uninstall

deb: release ## make a Debian package: .build/syncjob_VERSION_ARCHITECTURE.deb
	scripts/setup.sh deb
	scripts/deb --check

test: ## run all tests, after installing what they need; ARGS="--filter NAME" for some
	scripts/setup.sh test
	scripts/test $(ARGS)

sanitize: ## run the tests that transfer under AddressSanitizer, then under ThreadSanitizer
	scripts/setup.sh test
	scripts/sanitize address
	scripts/sanitize thread

torture: ## cut the power, kill the program, fill the disk, fail every operation: half an hour, root for some of it
	scripts/setup.sh torture
	swift build --build-tests
	scripts/torture $(ARGS)

fuzz: setup ## give the parsers any bytes, a bounded time each; ARGS="--seconds 60 json feed" for some for longer
	scripts/fuzz $(ARGS)

lint: ## check format, layers, licence lines, file lengths, the links of the documents and the commits
	swift format lint --strict --recursive --parallel $(SOURCES)
	scripts/check-layers --self-test
	scripts/check-layers
	scripts/check-folders --self-test
	scripts/check-folders
	scripts/check-sources --self-test
	scripts/check-sources
	scripts/check-docs
	scripts/check-commits --self-test
	scripts/check-commits

format: ## format all sources in place
	swift format format --in-place --recursive --parallel $(SOURCES)

bench: release ## time the program beside its peers: curl, aria2, wget2, rclone; ARGS="wan resume" for some rows
	scripts/setup.sh bench
	scripts/bench $(ARGS)

demo: build ## run the job on a small built-in manifest against a server on this machine
	SYNCJOB_BIN=.build/debug/syncjob SYNCJOB_DEMO_BIN=.build/debug/syncjob-demo scripts/demo

docs: build ## check the documents: links, and each manifest in them against the program
	scripts/check-docs --examples .build/debug/syncjob

clean: ## remove everything that was built
	rm -rf .build
