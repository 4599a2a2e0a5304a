# Models and providers.

MODEL_SOURCES ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/models

.PHONY: models models-check test-provider

models: ## regenerate core/model/table.bin and conflicts.md from the pinned registries
	mkdir -p $(MODEL_SOURCES)
	go run -tags generate ./core/model/generate -sources $(MODEL_SOURCES)

models-check: ## compare the committed model table with the pinned registries, entry by entry
	mkdir -p $(MODEL_SOURCES)
	go run -tags generate ./core/model/generate -sources $(MODEL_SOURCES) -check
