# Works with GNU make 3.81 and later. Everything lives in .venv; the first target that needs it makes it.
# PYTHON=/path/to/python3 chooses the Python; WORKERS=4 the number of test processes.

WORKERS = auto
BIN = .venv/bin
.PHONY: help environment setup demo test lint format bench lock clean

help:
	@echo 'make setup    make .venv with every package of requirements.lock'
	@echo 'make demo     deal, store, check and report a small sample; writes demo/report.html'
	@echo 'make test     the whole test suite'
	@echo 'make lint     ruff, mypy --strict, sqlfluff'
	@echo 'make format   let ruff and sqlfluff put the code in shape'
	@echo 'make bench    measure; writes bench/RESULTS.md and the table of the README'
	@echo 'make lock     write requirements.lock anew from pyproject.toml'
	@echo 'make clean    remove .venv and all that the tools leave behind'

environment:
	@sh tools/setup.sh

setup: environment
	@echo 'Ready: $(BIN)/belot-stats'

demo: environment
	@$(BIN)/belot-stats demo --out demo
	@echo 'Open demo/report.html in a browser.'

test: environment
	@$(BIN)/python -m tests.warm
	@$(BIN)/python -m pytest -n $(WORKERS)

lint: environment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict belot_stats
	$(BIN)/sqlfluff lint reports

format: environment
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/sqlfluff fix reports

bench: environment
	@$(BIN)/python bench/run.py

lock:
	@sh tools/lock.sh

clean:
	rm -rf .venv demo build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find belot_stats tests -name __pycache__ -type d -prune -exec rm -rf {} +
