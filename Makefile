# The commands of the README: `make demo`, `make serve` and `make test`.  Everything else is for developers.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP_FLAGS ?= --quiet --disable-pip-version-check

.PHONY: demo serve test tests coverage lint format docs catalogues messages notebooks architecture bench trials release-check container-check clean

demo: $(VENV)/.demo
	$(BIN)/sfumato demo
	$(COMPILE_ALL)

# the workbench in a browser
serve: $(VENV)/.web
	$(BIN)/sfumato serve

# once, in the background, as the worker of the workbench does; a method that runs before its turn compiles for itself
COMPILE_ALL = @test -e $(VENV)/.compiled || { touch $(VENV)/.compiled; \
	echo 'Compiling all methods in the background, once: some minutes, at low priority.'; \
	NUMBA_CPU_NAME=generic nice -n 19 $(BIN)/python -m building.first_runs </dev/null >/dev/null 2>&1 & }

# the type checker takes one core for a minute, so it runs beside the tests
test: $(VENV)/.dev
	$(MAKE) --no-print-directory -j 2 lint tests

tests: $(VENV)/.dev
	$(BIN)/pytest -n auto --dist worksteal

# with all random examples, of which `tests` draws half; much slower than the tests alone, so apart from them
coverage: $(VENV)/.dev
	$(BIN)/pytest -n auto --dist worksteal --hypothesis-profile=thorough --cov --cov-report=term:skip-covered

lint: $(VENV)/.dev
	$(BIN)/ruff check --output-format=concise .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# the tables of methods, promises, measures and attacks in docs/*.md
catalogues: $(VENV)/.dev
	$(BIN)/python -m docs.catalogues

# the Greek texts of the workbench; needs the gettext tools
messages: $(VENV)/.dev
	$(BIN)/python -m docs.messages

# the notebooks of examples/, from the scripts beside them
notebooks: $(VENV)/.dev
	$(BIN)/python -m docs.notebooks

# the picture of the rooms and the imports between them
architecture: $(VENV)/.dev
	$(BIN)/python -m docs.architecture

docs: $(VENV)/.dev
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

trials: $(VENV)/.dev
	$(BIN)/python -m trials
	$(BIN)/python -m trials.filters

# wheel and source distribution, installed with every extra into empty environments; others: OTHERS='python3.12 python3.14'
release-check: $(VENV)/.dev
	$(BIN)/python -m building.release_check --python $(OTHERS)

# what can be checked of the container without a registry; needs no container engine
container-check: $(VENV)/.dev
	$(BIN)/python -m building.container_check

clean:
	rm -rf $(VENV) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sfumato needs Python 3.11 or later, found " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[report]'
	touch $@

$(VENV)/.web: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[web]'
	touch $@ $(VENV)/.demo

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[dev]'
	touch $@ $(VENV)/.demo $(VENV)/.web
