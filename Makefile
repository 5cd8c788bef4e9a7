# Thin shortcuts over `swift` and `belfry`. `make help` lists them.

SHELL := /bin/bash
SWIFT ?= swift
CONFIGURATION ?= debug
BUILD := $(SWIFT) build -c $(CONFIGURATION)
PROGRAMS = $$($(BUILD) --show-bin-path)
PRODUCTS := belfry belfry-gateway belfry-router belfry-push belfry-inapp belfry-email belfry-simulator
SOURCES := Package.swift Services Shared Tests compose
# e.g. make run ARGUMENTS="--scale push=2,router=2"
ARGUMENTS ?=

.DEFAULT_GOAL := help
.PHONY: help run demo test bell-test compose-test install uninstall units-check attack test-deps bench build lint format docs deps

help: ## Lists the targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

run: deps build ## Starts all of Belfry on this machine with a demo family; Ctrl-C stops it.
	@exec $(PROGRAMS)/belfry dev $(ARGUMENTS)

demo: deps build ## Checks on free ports that a notification arrives on all three channels; exit status 0 or 1.
	@exec $(PROGRAMS)/belfry dev --once $(ARGUMENTS)

test: test-deps .belfry/venv/.installed ## Runs every test; brings up the servers it needs by itself.
	@BELFRY_PYTHON="$(CURDIR)/.belfry/venv/bin/python" .ci/test $(SWIFT) test --no-parallel $(ARGUMENTS)

bell-test: test-deps .belfry/venv/.installed ## Runs the tests of the web bell, in Chromium; screenshots are in .belfry/bell.
	@.belfry/venv/bin/python -B -m pytest Tests/BellTests $(ARGUMENTS)

compose-test: test-deps .belfry/venv/.installed ## Runs the containers of compose.yaml and what may happen to them; needs root, or DOCKER_HOST.
	@BELFRY_PYTHON="$(CURDIR)/.belfry/venv/bin/python" SWIFT="$(SWIFT)" Tests/ContainerTests/run $(ARGUMENTS)

# What `install` and `uninstall` are told: make install PREFIX=/opt/belfry USER=notify DESTDIR=package
install uninstall: PREFIX := /usr/local
install uninstall: USER := belfry
install uninstall: GROUP = $(USER)
install: BUILT = .build/release
INSTALL = @PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' BELFRY_ACCOUNT='$(USER)' BELFRY_GROUP='$(GROUP)' compose/systemd/install

install: ## Installs the release programs and systemd units; PREFIX, DESTDIR, USER, GROUP. See docs/operations.md.
	@.ci/install install
	$(INSTALL) $(BUILT)

uninstall: ## Removes them again; needs the same PREFIX and DESTDIR.
	$(INSTALL) --remove

units-check: test-deps ## Installs into a temporary folder and checks the units and the programs there.
	@$(MAKE) --no-print-directory build CONFIGURATION=release PRODUCTS=belfry-all
	@.ci/units

attack: test-deps .belfry/venv/.installed ## Attacks the API with Schemathesis, ten minutes long; see docs/development.md.
	@BELFRY_PYTHON="$(CURDIR)/.belfry/venv/bin/python" BELFRY_MUTATIONS=10000 BELFRY_ATTACK="--seconds 600 $(ARGUMENTS)" \
	  .ci/test $(SWIFT) test --no-parallel --filter AttackTests

bench: deps ## Measures, and prints a table beside the raw limits of this machine; JSON in bench-results.json.
	@.ci/install bench || echo "Measuring without what is missing."
	@$(MAKE) --no-print-directory build CONFIGURATION=release PRODUCTS="$(PRODUCTS) belfry-bench"
	@exec $$($(SWIFT) build -c release --show-bin-path)/belfry-bench $(ARGUMENTS)

build: deps ## Builds every program.
	@echo "Building (the first time takes some minutes) …"
	@set -o pipefail; for product in $(PRODUCTS); do $(BUILD) --product $$product || exit 1; done

lint: ## Checks the format of all sources.
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format: ## Formats all sources in place.
	@$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

docs: deps ## Writes docs/configuration.md from the code that reads the settings.
	@BELFRY_WRITE_DOCS=1 $(SWIFT) test --filter ConfigurationDocumentationTests

test-deps:
	@.ci/install test

deps: ## Installs missing Debian packages, or prints the command that does.
	@.ci/install

# Foreign clients, against which the protocols are tested.
.belfry/venv/.installed: | test-deps
.belfry/venv/.installed: Tests/requirements.txt Tests/Conformance/requirements.txt Tests/Chromium/requirements.txt
	@echo "Installing the Python clients for the tests …"
	@rm -rf .belfry/venv && mkdir -p .belfry && /usr/bin/python3 -m venv .belfry/venv
	@.belfry/venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@.belfry/venv/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement Tests/Chromium/requirements.txt
	@touch $@
