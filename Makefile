# Tasks of a checkout. Each runs its dependencies first and skips what is up to date.

SHELL := /bin/bash
.DEFAULT_GOAL := help
PREFIX ?= /usr/local
export PHOTO OPTIONS PREFIX DESTDIR

.PHONY: help setup build scan test test-all lint format site reference install deb image tarball benchmark clean

help: ## List these tasks
	@echo "usage: make TASK"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Install libraries and models (once; needs the network)
	@Scripts/setup/setup.sh build

# Running and testing share one configuration, release, so the code is compiled once.
build: setup ## Build .build/release/shelflist
	@Scripts/build.sh shelflist
	@Scripts/install/build_json.sh

# Compiles only what reading a photo needs, a small part of the program.
scan: photo setup ## Read a photo: make scan PHOTO=Examples/shelf.jpg [OPTIONS="--format json"]
	@Scripts/build.sh read-photo
	@.build/release/read-photo $$OPTIONS -- "$$PHOTO"

test: ## Run the checks and tests that a change has to pass
	@Scripts/test.sh

test-all: ## Run all of them: also the packages, and every test of the web app
	@Scripts/test.sh --all

lint: ## Check format, imports, documents and scripts
	@Scripts/lint.sh

format: ## Format the Swift files
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Tools Examples/Apple

site: ## Build the site of the documents into dist/site
	@Scripts/site/build.sh

reference: build ## Build the reference of the Swift client library into dist/swift-reference
	@Scripts/site/swift_reference.sh

install: build ## Install into PREFIX (/usr/local); it can be moved later: make install PREFIX=~/shelflist
	@Scripts/install/install.sh

deb: build ## Build dist/shelflist_VERSION_ARCH.deb (Debian, Ubuntu)
	@Scripts/package/deb.sh

image: deb ## Build the container image from it, without Docker (needs root, buildah and debootstrap)
	@Scripts/package/image.sh

tarball: build ## Build dist/shelflist_VERSION_linux-MACHINE.tar.gz for other distributions (needs root)
	@Scripts/package/tarball.sh

benchmark: build ## Measure speed and accuracy (docs/benchmarks.md)
	@Benchmarks/run.sh

clean: ## Remove build products; keeps what setup fetched (.deps)
	@rm -rf .build

.PHONY: photo
photo:
	@[ -n "$$PHOTO" ] || { echo 'No photo given. Use: make scan PHOTO=Examples/shelf.jpg' >&2; exit 2; }
