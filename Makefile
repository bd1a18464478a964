# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.

PYTHON ?= python3
VENV ?= .venv
ARENA = $(VENV)/bin/arena
BOTS = sample_bots/python/random sample_bots/python/honest
NODE := $(shell command -v npm 2>/dev/null)

.PHONY: demo test clean

demo: $(VENV)/installed
ifeq ($(NODE),)
	@echo "Node.js (npm) is not installed, so the JavaScript bot does not play."
	$(ARENA) run $(BOTS) --players 2 --budget 400 --out results/demo
else
	$(ARENA) run $(BOTS) sample_bots/javascript/honest --players 3 --ruleset santaba --budget 300 --out results/demo
endif

test: $(VENV)/installed-test
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/python -m pytest

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --editable .
	touch $@

$(VENV)/installed-test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --editable ".[test]"
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) results/demo
