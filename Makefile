# The two commands are `make report` and `make test`; `make` alone lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= python3
CONFIG ?= config/config.yaml
BIN := .venv/bin
INSTALL := '$(PYTHON)' -m pip --python $(BIN)/python install --quiet
READY := .venv/ready
TOOLS := .venv/tools
REPORT ?= $(REPORTS)
REPORTS = reports/$$(sed -n 's/^study: *//p' '$(CONFIG)')
WORKFLOW := Snakefile workflow
export OPENBLAS_NUM_THREADS := 1
# Debian's pip warns where it calls the setup.py of a package without a wheel itself.
export PIP_USE_PEP517 := 1

.PHONY: help report example audit verify oracle test quick lint docs bench simulations faults approve reference pythons slurm lock clean pango

help:
	@echo 'make report [CONFIG=my.yaml]  build a study into reports/<study>/ (default: $(CONFIG))'
	@echo 'make example                  build the report of the default study into reports/example/, as the repository has it'
	@echo 'make audit [CONFIG=my.yaml]   build it and check its claims; fails if one is not supported'
	@echo 'make verify [REPORT=reports/s] check a report against its manifest (REBUILD=1: build it again and compare)'
	@echo 'make oracle [REPORT=reports/s] recompute its numbers from the predictions, by code that shares nothing with the package'
	@echo 'make test                     run the tests'
	@echo 'make quick                    check types, and run the tests nearest to what has changed'
	@echo 'make lint                     check types, style and the workflow'
	@echo 'make docs                     make the documentation into build/docs, a folder that any static host takes'
	@echo 'make bench [SMOKE=1]          measure speed, as ratios; SMOKE: some minutes, and fail where one is 1.3 times what it was'
	@echo 'make simulations              simulate how often intervals hold and verdicts are false, before a release (two hours)'
	@echo 'make faults                   kill, stop and starve builds of a report, and check what is left (minutes)'
	@echo 'make approve                  write anew what tests compare pages, figures and documentation with (tests/golden, docs): read what differs'
	@echo 'make reference                write what config/README.md and the schema say of keys, and docs/commands.md, as the package declares them'
	@echo 'make pythons                  compare the tables and figures of a small study with those of every other Python (minutes)'
	@echo 'make slurm                    build the default study on a Slurm of one node, as root, where Slurm is installed (minutes)'
	@echo 'make lock                     pin the dependencies anew'
	@echo 'make clean                    remove results, logs and caches, never reports'

report: $(READY) pango
	@test -r '$(CONFIG)' || { echo "There is no file '$(CONFIG)': CONFIG names the configuration of a study"; exit 2; }
	@$(BIN)/python -m costcurves report '$(CONFIG)'

# As each release has it: the page and its PDF, without tables and figures.
example: $(READY) pango
	@$(BIN)/python -m costcurves report config/config.yaml
	@mkdir -p reports/example
	@cp reports/default/report.html reports/default/report.pdf reports/example

audit: $(READY) pango
	@$(BIN)/python -m costcurves audit '$(CONFIG)'

verify: $(READY) pango
	@$(BIN)/python -m costcurves verify "$(REPORT)" $(if $(REBUILD),--rebuild)

oracle: $(TOOLS)
	@$(BIN)/python -m tests.oracle.recompute "$(REPORT)" $(if $(SOURCES),--sources "$(SOURCES)")

test: $(TOOLS) pango
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder --durations 20

quick: $(TOOLS)
	@$(BIN)/ruff check --quiet . && $(BIN)/mypy
	@$(BIN)/python -m tests.quick

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check $(WORKFLOW)
	$(BIN)/mypy
	$(BIN)/python -m tests.linted

docs: $(TOOLS)
	@$(INSTALL) --require-hashes -r docs/site/requirements.lock
	@rm -rf build/docs build/doctrees
	@$(BIN)/python docs/site/pages.py
	@$(BIN)/sphinx-build -q -W --keep-going -n -j 2 -c docs/site -d build/doctrees build/pages build/docs
	@$(BIN)/python docs/site/checked.py
	@echo 'The documentation is ready: build/docs/index.html'

bench: $(TOOLS)
	@$(BIN)/python -m tests.bench.whole $(if $(SMOKE),--check)

simulations: $(TOOLS)
	@$(BIN)/python -m tests.simulations inference costs optimism claims choices verdicts rare by_design further fresh
	@$(BIN)/python -m tests.simulations.atlas
	@$(BIN)/python -m pytest --quiet tests/simulations/levels.py

faults: $(TOOLS) pango
	@$(BIN)/python -m tests.faults

approve: $(TOOLS) pango
	@$(BIN)/python -m tests.approved
	@$(BIN)/python -m tests.documented

reference: $(TOOLS)
	@$(BIN)/python -m docs.site.reference

pythons: $(TOOLS) pango
	@tests/pythons.sh

slurm: $(TOOLS) pango
	@tests/slurm.sh

# --without-pip, because Debian keeps the rest of venv in a package of its own. What has no wheel is built by build.lock.
$(READY): build.lock requirements.lock pyproject.toml
	@echo 'Setting up .venv (once; about a minute)'
	@'$(PYTHON)' -m venv --clear --without-pip .venv
	@$(INSTALL) --require-hashes -r build.lock
	@$(INSTALL) --require-hashes --no-build-isolation -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(TOOLS): $(READY) tests/requirements.lock
	@echo 'Adding to .venv what checks and tests need (once)'
	@$(INSTALL) --require-hashes --no-build-isolation -r tests/requirements.lock
	@touch $@

# WeasyPrint draws the PDF with Pango, which no Python package brings along. Root installs it; anyone else is told how, and
# is asked for no password: SUDO='sudo -n' says that it may be used.
PANGO := apt-get install --yes --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0
SUDO ?=
pango:
	@'$(PYTHON)' -c 'from ctypes import CDLL; [CDLL(f"lib{name}.so.0") for name in ("pango-1.0", "pangoft2-1.0", "harfbuzz-subset")]' 2>/dev/null || \
	if command -v apt-get >/dev/null && { [ "$$(id -u)" = 0 ] || [ -n '$(SUDO)' ]; }; then \
	  echo 'Installing Pango, which the PDF needs: $(SUDO) $(PANGO)'; \
	  $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive $(PANGO) || echo 'Pango could not be installed: there will be no PDF'; \
	else \
	  echo 'There will be no PDF without Pango. To have it: sudo $(PANGO)'; \
	fi

lock: $(TOOLS)
	@tests/lock.sh

clean:
	@rm -rf results logs .snakemake .mypy_cache .pytest_cache .ruff_cache .hypothesis
