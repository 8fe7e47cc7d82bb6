# Every routine task of pincite. `make` lists them.

PYTHON ?= python3
BIN := .venv/bin
# Two at a time: the tests start child processes of their own. JOBS=0 runs them in this process.
JOBS ?= 2
# The files whose tests run on both layouts in `make test`.
LAYOUTS := $(addprefix tests/library/test_,$(addsuffix .py,database documents feed files jobs migrations passages processes trash \
	uploads worker)) tests/search/test_search.py tests/server/test_documents.py
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Hundreds of processes are started by tests: what they import is compiled once, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: bench ci clean demo dev docs format help lint lock lock-floor node-tests pages peers pictures sbom schemas screenshots site test test-floors \
	test-layouts test-long types web web-check web-types

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: ## install, add the examples and ask them a question (says what it downloads)
	@$(PYTHON) tools/environment.py demo
	@rm -rf .demo
	PINCITE_HOME=.demo $(BIN)/pincite add examples/
	PINCITE_HOME=.demo $(BIN)/pincite ask "From which amount do expenses need approval, and who gives it?"
	@echo
	@echo "Go on:  . $(BIN)/activate; export PINCITE_HOME=.demo"
	@echo "        pincite ask \"How much is paid for a kilometre?\"    another question"
	@echo "        pincite serve                                        the same in a browser"

dev: ## install what the tests and checks need
	@$(PYTHON) tools/environment.py dev

node-tests: dev ## get the official client of AG-UI, which tests read our streams with
	$(BIN)/python tests/ag_ui_node.py

test: test-floors node-tests ## run all tests but the long ones
	@$(BIN)/python tools/environment.py debian
	@# First what depends most on the database and the file store, on PostgreSQL and S3; `make test-layouts` runs the
	@# rest. Either run tells all that is wrong. After a crash a worker is not replaced: the run would wait for ever
	@# (pytest-xdist 3.8, issue 1378).
	PINCITE_TEST_LAYOUT=postgres $(BIN)/pytest -n $(JOBS) --dist loadfile --max-worker-restart 0 $(LAYOUTS); \
		layouts=$$?; \
		$(BIN)/pytest -n $(JOBS) --dist loadfile --max-worker-restart 0 && exit $$layouts

test-long: dev ## run the long tests: load, kill loops, wide property profiles, hostile texts of whole length
	@$(BIN)/python tools/environment.py debian
	PINCITE_HYPOTHESIS=wide $(BIN)/pytest -m "long or hostile" --timeout 1800
	@$(MAKE) --no-print-directory test-layouts

test-layouts: dev ## run the tests of library, search and server on PostgreSQL and S3 too
	@# What reads PDF alone, sends anything at all, or brings servers of its own, says nothing new here.
	PINCITE_TEST_LAYOUT=postgres $(BIN)/pytest -n $(JOBS) --dist loadfile --max-worker-restart 0 \
		-k "not every_shared_pdf and not schemathesis and not two_nodes" tests/library tests/search tests/server

test-floors: dev ## run the tests of the pydantic-ai converters with the oldest version that has citations
	@test -x .venv/floor/bin/pytest || { $(BIN)/python -m venv .venv/floor && \
		.venv/floor/bin/pip install --quiet --require-hashes --requirement requirements/floor.txt; }
	@# The folder's own conftest opens a library, which has no place here.
	PYTHONPATH=src:tests .venv/floor/bin/python -m pytest --noconftest -p conftest \
		tests/agents/test_native.py tests/agents/test_fake_model.py

lint: dev ## check style, spelling, layers and the size of files
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/large_files.py

format: dev ## put style right where a tool can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: dev ## check types, strictly, of source, tests, benchmarks and tools
	$(BIN)/basedpyright

bench: dev ## run every benchmark and print its ratios beside their bars
	$(BIN)/python -m benchmarks

peers: ## run other packages beside pincite, and write the tables of docs/comparison.md (no part of the gate)
	@test -x .venv/peers/bin/python || $(PYTHON) -m venv .venv/peers
	.venv/peers/bin/pip install --quiet --requirement benchmarks/peers/requirements.in
	PYTHONPATH=src:tests .venv/peers/bin/python -m benchmarks.peers

docs: dev site ## check that the generated pages and schemas are up to date, and that the site and the changelog build
	$(BIN)/python tools/make_pages.py --check
	$(BIN)/python tools/make_schemas.py --check
	$(BIN)/python tools/make_inventory.py --check
	$(BIN)/towncrier build --draft --version next > /dev/null

site: dev ## build the site of docs/ into build/site, where a link that leads nowhere is an error
	$(BIN)/zensical build --strict --clean

pages: dev ## write the generated pages of docs/ again
	$(BIN)/python tools/make_pages.py
	$(BIN)/python tools/make_inventory.py

sbom: dev ## write the bill of materials of a release to build/sbom.json
	$(BIN)/python tools/make_inventory.py --sbom build/sbom.json

schemas: dev ## write the published JSON Schemas again, and those that the console's types are made from
	$(BIN)/python tools/make_schemas.py

web: dev ## build the console into the package
	$(BIN)/python tools/node.py run build

web-types: schemas ## make the console's types from the schemas
	$(BIN)/python tools/node.py run types

web-check: dev ## check the console: types, style, and that its build is that of the source
	$(BIN)/python tools/node.py run check

screenshots: dev ## take the pictures of the console in docs/ again (needs Chromium)
	$(BIN)/python tools/make_screenshots.py

pictures: dev ## draw the pictures of README and docs/ again
	$(BIN)/python tools/make_pictures.py

lock: ## pin every requirement again, with hashes, and measure the download (needs uv)
	$(PYTHON) tools/lock.py

lock-floor: ## pin what the tests of the floor need (needs uv)
	uv pip compile requirements/floor.in --universal --python-version=3.11 --generate-hashes --no-annotate --quiet \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock-floor" \
		--output-file requirements/floor.txt

ci: ## run the whole gate
	.ci/run

clean: ## remove the environment and everything that was made
	rm -rf .venv .demo web/node_modules build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
