# Copyright The ctx-lsp authors. MIT licence.

# The package of Python: the client, and the wheel with the program in it. Its tools come from PyPI.

PYTHON_TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/python

# examples/daemon.py is not here: it shows in few lines that nothing is needed but JSON-RPC.
PYTHON_OTHERS := examples/python examples/client.py tools/tokenbench fleet/tests

TEST_TARGETS  += test-python
TOOLS_TARGETS += tools-python
LINT_TARGETS  += lint-python
BENCH_TARGETS += bench-stores

.PHONY: tools-python
tools-python:
	@bash mk/python.sh $(PYTHON_TOOLS)/tests python/tests/requirements.txt
	@bash mk/python.sh $(PYTHON_TOOLS)/stores fleet/tests/stores.txt

.PHONY: test-python
test-python: bin bin-fleet tools-python ## Python: the client against the daemon, which is killed in the middle of calls; wheels installed by pip, uv and pipx; exports in DuckDB, ClickHouse and Iceberg
	@$(GO) build -C tools/release -o ../../bin/release-tool$(EXE) .
	@RELEASE=$(CURDIR)/bin/release-tool$(EXE) STORES=$(PYTHON_TOOLS)/stores/bin/python CTX_LSP=$(CURDIR)/$(BIN)$(EXE) PYTHONPATH=python \
		$(PYTHON_TOOLS)/tests/bin/python -W default python/tests/run.py $(ONLY)

# Not part of `make test`, because it installs 102 packages of 500 MB from PyPI.
.PHONY: test-hosts-python
test-hosts-python: bin ## programs with LangChain, Pydantic AI, the Agents SDK, OpenAI, Anthropic and LiteLLM (from PyPI) against a local server
	@bash mk/python.sh $(PYTHON_TOOLS)/hosts examples/python/requirements.txt
	@CTX_LSP=$(CURDIR)/$(BIN)$(EXE) PYTHONPATH=$(CURDIR)/python bash mk/hosts-python.sh $(PYTHON_TOOLS)/hosts/bin/python

.PHONY: bench-stores
bench-stores: bin bin-fleet tools-python ## seconds and bytes of DuckDB, ClickHouse and Iceberg for a million exported rows
	@$(PYTHON_TOOLS)/stores/bin/python fleet/tests/stores.py $(BIN)$(EXE) 1000000

# Not part of `make test`, because it installs Spark (500 MB) from PyPI and takes long.
FLEET_ROWS ?= 10000000
.PHONY: test-fleet
test-fleet: bin bin-fleet ## Spark (from PyPI, with Java), a worker of which is killed, answers the questions of docs/export.md like DuckDB
	@command -v java >/dev/null || bash mk/apt.sh install default-jre-headless
	@bash mk/python.sh $(PYTHON_TOOLS)/spark fleet/tests/spark.txt pyspark
	@$(PYTHON_TOOLS)/spark/bin/python fleet/tests/spark.py $(BIN)$(EXE) $(FLEET_ROWS) $(FLEET_FOLDER)

.PHONY: lint-python
lint-python: $(LINT)/node_modules ## Python: ruff, mypy and pyright
	@bash mk/python.sh $(PYTHON_TOOLS)/lint $(LINT)/requirements.txt
	$(PYTHON_TOOLS)/lint/bin/ruff format --check python
	$(PYTHON_TOOLS)/lint/bin/ruff check python
	$(PYTHON_TOOLS)/lint/bin/ruff format --config python/pyproject.toml --check $(PYTHON_OTHERS)
	$(PYTHON_TOOLS)/lint/bin/ruff check --config python/pyproject.toml $(PYTHON_OTHERS)
	cd python && $(PYTHON_TOOLS)/lint/bin/mypy --no-error-summary
	cd python && $(CURDIR)/$(LINT)/node_modules/.bin/pyright
