# Needs Python 3.10 or later, make and git; everything else goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
DEMO := golden/migrate/full-governance/source.yaml

.PHONY: demo test check bench docs fuzz mutation versions clean

.venv/ready: pyproject.toml
	@echo "setting up .venv, this takes a minute"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch .venv/ready

.venv/demo: pyproject.toml
	@echo "setting up .venv, this takes half a minute"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch .venv/demo

demo: .venv/demo  ## migrate a real legacy file: the report, then what changes in the file
	$(BIN)/fishhawk migrate-spec $(DEMO)
	@echo
	@echo "---- the same as a diff (first 60 lines of it) ----"
	@$(BIN)/fishhawk migrate-spec --diff $(DEMO) 2>/dev/null | head -n 60

test: .venv/ready  ## the tests
	$(BIN)/python -m pytest

check: .venv/ready  ## what CI runs
	bash .ci/run

bench: .venv/ready  ## measurements, each against something run in the same minute
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m compileall -q transforms migrate_spec
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.plans
	$(BIN)/python -m benchmarks.minimal golden/migrate/*/source.yaml

docs: .venv/ready  ## the documentation as a site in build/site, links checked
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/site
	@echo "build/site/index.html"

fuzz: .venv/ready  ## mutate documents for SECONDS (60) and keep what breaks a promise in fuzz-found/
	PYTHONPATH=tests:. $(BIN)/python -m fuzz --seconds $(or $(SECONDS),60)

mutation: .venv/ready  ## mutate transforms and the rules, one change at a time; survivors are listed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'mutmut>=3.8'
	PATH="$(CURDIR)/$(BIN):$$PATH" mutmut run
	$(BIN)/mutmut results

versions:  ## the tests with every Python and the lowest and newest dependencies
	bash .ci/versions

clean:
	rm -rf .venv build dist *.egg-info
