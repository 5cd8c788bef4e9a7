# Thin shortcuts over `swift` and the two programs. `make help` lists them.

SHELL := /bin/bash
SWIFT ?= swift
CONFIGURATION ?= debug
# For a debugger: make build DEBUG_INFO=dwarf; for an editor: INDEX=enable. Each takes a fifth of the time more.
DEBUG_INFO ?= none
INDEX ?= disable
# The trait of the servers, which apps do without.
RELEASE_FLAGS := --traits Server -debug-info-format $(DEBUG_INFO) --$(INDEX)-index-store
# The files of a module in one batch, and not in one for each processor: a first build takes a sixth less of their time.
FLAGS := $(RELEASE_FLAGS) $(if $(filter debug,$(CONFIGURATION)),-Xswiftc -driver-batch-count -Xswiftc 1)
BUILD := $(SWIFT) build -c $(CONFIGURATION) $(FLAGS)
# One or several: belfry is what is installed, belfry-dev runs it on one machine, belfry-bench measures it.
PRODUCT ?= belfry
BELFRY_DEV = $$($(BUILD) --show-bin-path)/belfry-dev
TEST_PROGRAM = $$($(BUILD) --show-bin-path)/belfryPackageTests.xctest
RUN_TESTS = BELFRY_PYTHON="$(CURDIR)/.belfry/venv/bin/python" .ci/test
SOURCES := Package.swift Services Shared Tests docs/samples
# e.g. make run ARGUMENTS="--scale push=2,router=2"
ARGUMENTS ?=

.DEFAULT_GOAL := help
.PHONY: help run demo test test-long build-tests bell-test compose-test install uninstall units-check package package-test client-test attack test-deps bench build lint format docs docs-site docs-check swift-docs deps

help: ## Lists the targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

run demo: PRODUCT := belfry belfry-dev

run: deps build ## Starts all of Belfry on this machine with a demo family; Ctrl-C stops it.
	@exec $(BELFRY_DEV) run $(ARGUMENTS)

demo: deps build ## Checks on free ports that a notification arrives on all three channels; exit status 0 or 1.
	@exec $(BELFRY_DEV) run --once $(ARGUMENTS)

test: test-deps .belfry/venv/.installed build-tests ## Tests all that a change can break; brings up the servers it needs by itself.
	@$(RUN_TESTS) $(if $(ARGUMENTS),chosen,everyday) $(TEST_PROGRAM) $(ARGUMENTS)

test-long: test-deps .belfry/venv/.installed build-tests ## Tests what takes long by nature; BELFRY_ROUNDS=25 a quarter of it.
	@.ci/install test-long
	@BELFRY_TESTS=long $(RUN_TESTS) $(if $(ARGUMENTS),chosen,long) $(TEST_PROGRAM) $(ARGUMENTS)

build-tests: deps
	@.ci/progress "Building Belfry and its tests" $(BUILD) --build-tests

bell-test: test-deps .belfry/venv/.installed ## Runs the tests of the web bell, in Chromium and Firefox; screenshots are in .belfry/bell.
	@.belfry/venv/bin/python -B -m pytest Tests/BellTests $(ARGUMENTS)

compose-test: test-deps .belfry/venv/.installed ## Runs the containers of compose.yaml and what may happen to them; needs root, or DOCKER_HOST.
	@BELFRY_PYTHON="$(CURDIR)/.belfry/venv/bin/python" BUILD="$(SWIFT) build -c release $(RELEASE_FLAGS)" Tests/ContainerTests/run $(ARGUMENTS)

# What `install` and `uninstall` are told: make install PREFIX=/opt/belfry USER=notify DESTDIR=package
install uninstall: PREFIX := /usr/local
install uninstall: USER := belfry
install uninstall: GROUP = $(USER)
install: BUILT = .build/release
INSTALL = @PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' BELFRY_ACCOUNT='$(USER)' BELFRY_GROUP='$(GROUP)' compose/systemd/install

install: ## Installs the release program and systemd units; PREFIX, DESTDIR, USER, GROUP. See docs/systemd.md.
	@.ci/install install
	$(INSTALL) $(BUILT)

uninstall: ## Removes them again; needs the same PREFIX and DESTDIR.
	$(INSTALL) --remove

units-check: test-deps ## Installs into a temporary folder and checks the units and the programs there.
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	@.ci/units

package: ## Makes Debian packages of both programs, an archive of the image, bills of materials, checksums: .belfry/package.
	@compose/package/image --check
	@.ci/install package
	@$(MAKE) --no-print-directory build CONFIGURATION=release PRODUCT="belfry belfry-dev"
	@compose/package/make "$$($(SWIFT) build -c release $(RELEASE_FLAGS) --show-bin-path)" .belfry/package

package-test: test-deps .belfry/venv/.installed package ## Makes them and installs them in fresh trees of Debian 12 and 13; needs root.
	@BELFRY_PYTHON="$(CURDIR)/.belfry/venv/bin/python" Tests/PackageTests/run $(ARGUMENTS)

client-test: test-deps .belfry/venv/.installed ## Builds an app that depends on this clone, and looks at what it fetches and builds.
	@.belfry/venv/bin/python -B -m pytest Tests/ClientFixture $(ARGUMENTS)

attack: test-deps .belfry/venv/.installed build-tests ## Attacks the API with Schemathesis, ten minutes long; see docs/development.md.
	@BELFRY_MUTATIONS=10000 BELFRY_ATTACK="--seconds 600 $(ARGUMENTS)" $(RUN_TESTS) chosen $(TEST_PROGRAM) --filter AttackTests

bench: deps ## Measures, and prints a table beside the raw limits of this machine; fails if a budget is missed. JSON in bench-results.json.
	@.ci/install bench || echo "Measuring without what is missing."
	@$(MAKE) --no-print-directory build CONFIGURATION=release PRODUCT="belfry belfry-dev belfry-bench"
	@exec $$($(SWIFT) build -c release $(RELEASE_FLAGS) --show-bin-path)/belfry-bench $(ARGUMENTS)

build: deps ## Builds what is installed; CONFIGURATION=release with the optimiser, PRODUCT=belfry-dev the other program.
	@for product in $(PRODUCT); do .ci/progress "Building $$product" $(BUILD) --product $$product || exit; done

lint: ## Checks the format of all sources.
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format: ## Formats all sources in place.
	@$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

docs-site: ## Makes a site of the documentation, with search: .belfry/site/index.html.
	@docs/site/build

docs-check: test-deps .belfry/venv/.installed ## Makes the site and checks it: links, samples, and how it looks and works in Chromium.
	@docs/site/build
	@.belfry/venv/bin/python -m pytest -q -p no:cacheprovider Tests/SiteTests $(ARGUMENTS)

swift-docs: ## Makes the Swift client's documentation with DocC, and checks its links: .belfry/docc/site.
	@SWIFT="$(SWIFT)" .ci/docc

docs: deps ## Writes docs/configuration.md from the code that reads the settings.
	@BELFRY_WRITE_DOCS=1 $(SWIFT) test $(FLAGS) --disable-xctest --enable-swift-testing --filter ConfigurationDocumentationTests

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
