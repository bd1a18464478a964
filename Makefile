# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.

PYTHON ?= python3
VENV ?= .venv
ARENA = $(VENV)/bin/arena
PYTHON_BOTS = sample_bots/python/random sample_bots/python/honest sample_bots/python/bluffer
NODE := $(shell command -v npm 2>/dev/null)

.PHONY: demo test clean

demo: $(VENV)/installed
ifeq ($(NODE),)
	@echo "Node.js with npm is not installed, so the JavaScript bot does not play."
	$(ARENA) run $(PYTHON_BOTS) --budget 480 --out results/demo
else
	$(ARENA) run $(PYTHON_BOTS) sample_bots/javascript/honest --budget 480 --out results/demo
endif
	@echo
	@echo "Charts:"
	@$(ARENA) charts results/demo
	@echo "Page:"
	@$(ARENA) report results/demo

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
