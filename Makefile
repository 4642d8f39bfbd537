# The commands of the README: `make demo`, `make serve` and `make test`.  Everything else is for developers.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP_FLAGS ?= --quiet --disable-pip-version-check

.PHONY: demo serve test tests coverage lint format docs catalogues messages bench trials clean

demo: $(VENV)/.demo
	$(BIN)/sfumato demo

# the workbench in a browser
serve: $(VENV)/.web
	$(BIN)/sfumato serve

# the type checker takes one core for a minute, so it runs beside the tests
test: $(VENV)/.dev
	$(MAKE) --no-print-directory -j 2 lint tests

tests: $(VENV)/.dev
	$(BIN)/pytest -n auto --dist worksteal

# twice as slow as the tests alone, so apart from them
coverage: $(VENV)/.dev
	$(BIN)/pytest -n auto --dist worksteal --cov --cov-report=term:skip-covered

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

docs: $(VENV)/.dev
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

trials: $(VENV)/.dev
	$(BIN)/python -m trials
	$(BIN)/python -m trials.filters

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
