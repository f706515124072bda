# The tasks of a checkout. Each does what it depends on first, and nothing that is done already.

SHELL := /bin/bash
.DEFAULT_GOAL := help
PREFIX ?= /usr/local
export PHOTO OPTIONS PREFIX DESTDIR

.PHONY: help setup build scan test lint format install benchmark clean

help: ## List these tasks
	@echo "usage: make TASK"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Bring the libraries and the reading models onto this machine (once; needs the network)
	@Scripts/setup/setup.sh build

# One configuration, release, for running and for testing: so the code is compiled once.
build: setup ## Build .build/release/shelflist
	@swift build -c release --product shelflist >&2

scan: photo build ## Read a photo: make scan PHOTO=Examples/shelf.jpg [OPTIONS="--format json"]
	@.build/release/shelflist scan $$OPTIONS -- "$$PHOTO"

test: ## Run every check and every test
	@Scripts/test.sh

lint: ## Check format, imports and scripts
	@Scripts/lint.sh

format: ## Format the Swift files
	@swift format --in-place --parallel --recursive Package.swift Sources Tests

install: build ## Install into PREFIX (/usr/local), from where it can be moved: make install PREFIX=~/shelflist
	@Scripts/install/install.sh

benchmark: build ## Measure speed and accuracy (docs/benchmarks.md)
	@Benchmarks/run.sh

clean: ## Remove what was built; what setup fetched (.deps) stays
	@rm -rf .build

.PHONY: photo
photo:
	@[ -n "$$PHOTO" ] || { echo 'Name a photo: make scan PHOTO=Examples/shelf.jpg' >&2; exit 2; }
