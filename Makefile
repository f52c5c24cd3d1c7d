# Court Piece: the two commands are `make run` and `make test`.
#
# PORT, HOST, DATABASE_URL, REDIS_URL and the other variables of docs/server.md are read from the environment or the command line.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := .uv/bin/uv
JOBS ?= auto
# What a second run, on other services, leaves out: folders in which nothing asks a database or a broker, and the matrix of
# rights, which asks every address as everybody: who may do what is decided alike on every database.
ONCE := architecture engine notation rights scoring_domain tournaments_domain

export PORT HOST DATABASE_URL REDIS_URL

.PHONY: help env env-dev env-print env-analysis run dev demo test test-code test-site test-pages format lint bench crash fuzz-api lock build clean

help:  ## say what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

env: $(VENV)/.run  ## make .venv with what the site needs, from the hashed lock
env-print: $(VENV)/.print  ## the same with what makes PDF of prints; the machine needs Pango (docs/club-evening.md)
env-analysis: $(VENV)/.analysis  ## the same with what analyses deals (docs/analysis.md)
env-dev: $(VENV)/.dev  ## the same with the tools of the tests

run: $(VENV)/.run  ## serve the site, the worker and the periodic tasks here (PORT=8000 HOST=127.0.0.1)
	@exec $(BIN)/python manage.py serve

dev: $(VENV)/.run  ## the same for work on it: code is loaded again when it changes
	@DEBUG=1 exec $(BIN)/python manage.py serve --reload

# Pinned installs. uv lives in an environment of its own, since `uv pip sync` removes what the lock does not name;
# where it cannot be had, pip does the same more slowly.
$(VENV)/.run: requirements/run.txt
	@if [ -e $(VENV)/.dev ]; then $(MAKE) --no-print-directory $(VENV)/.dev; elif [ -e $(VENV)/.analysis ]; then $(MAKE) --no-print-directory $(VENV)/.analysis; elif [ -e $(VENV)/.print ]; then $(MAKE) --no-print-directory $(VENV)/.print; else PYTHON="$(PYTHON)" sh requirements/install $(VENV) requirements/run.txt; fi
	@touch $@

$(VENV)/.print: requirements/print.txt
	@if [ -e $(VENV)/.dev ]; then $(MAKE) --no-print-directory $(VENV)/.dev; elif [ -e $(VENV)/.analysis ]; then $(MAKE) --no-print-directory $(VENV)/.analysis; else PYTHON="$(PYTHON)" sh requirements/install $(VENV) requirements/print.txt; fi
	@touch $(VENV)/.run $@

$(VENV)/.analysis: requirements/analysis.txt
	@if [ -e $(VENV)/.dev ]; then $(MAKE) --no-print-directory $(VENV)/.dev; else PYTHON="$(PYTHON)" sh requirements/install $(VENV) requirements/analysis.txt; fi
	@touch $(VENV)/.run $@

$(VENV)/.dev: requirements/dev.txt
	@PYTHON="$(PYTHON)" sh requirements/install $(VENV) requirements/dev.txt
	@touch $(VENV)/.run $@

test: lint test-code test-pages  ## linters, types, import contracts and all tests

lint: $(VENV)/.dev  ## linters, types, import contracts, and that no migration is missing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	DATABASE_URL= REDIS_URL= $(BIN)/python -W error manage.py makemigrations --check --dry-run --settings tests.settings

test-code: $(VENV)/.dev  ## all tests but those of the browser, on DATABASE_URL
	$(BIN)/python -m pytest -n $(JOBS) --ignore tests/browser

# The crash test starts a whole server and times it, so nothing runs beside it.
test-site: $(VENV)/.dev  ## of these the ones that use the database or the broker
	$(BIN)/python -m pytest -n $(JOBS) --only-services $(ONCE:%=--ignore tests/%) --ignore tests/browser --ignore tests/crash tests
	$(BIN)/python -m pytest --only-services tests/crash

# Much of their time is waiting, so there are more of them than processors; the longest begin early, and each process has a site and a browser of its own.
test-pages: $(VENV)/.dev  ## the tests that drive a browser, on a site of their own
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder tests/browser

format: $(VENV)/.dev  ## put the code in its form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev  ## measure: prints a table
	@$(BIN)/python -m bench

crash: $(VENV)/.dev  ## kill each part of a server twenty times while phones enter deals (docs/server.md)
	@$(BIN)/python -m bench.crash --both

fuzz-api: $(VENV)/.dev  ## ask the API ten thousand things by its own schema, most of them wrong (FUZZ_REQUESTS=10000)
	FUZZ_REQUESTS=$${FUZZ_REQUESTS:-10000} $(BIN)/python -m pytest -q tests/api/test_fuzz.py

lock: $(UV)  ## renew the hashed locks after a change of pyproject.toml
	sh requirements/lock $(UV)

$(UV): requirements/uv.txt
	@$(PYTHON) -m pip install -q --disable-pip-version-check --no-warn-script-location --upgrade --target .uv --require-hashes -r requirements/uv.txt
	@touch $@

build: $(VENV)/.dev  ## build the library's wheel into dist/
	$(BIN)/python -m build --no-isolation --wheel

clean:  ## remove the environment and what tools left; the data in var/ stays
	rm -rf $(VENV) .uv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
