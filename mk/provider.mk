# Models and providers.

MODEL_SOURCES ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/models

.PHONY: models models-check test-provider

models: ## regenerate core/model/table.bin and conflicts.md from the pinned registries
	@mkdir -p $(MODEL_SOURCES)
	go run -tags generate ./core/model/generate -sources $(MODEL_SOURCES)

models-check: ## compare the committed model table with the pinned registries, entry by entry
	@mkdir -p $(MODEL_SOURCES)
	go run -tags generate ./core/model/generate -sources $(MODEL_SOURCES) -check

test-provider: ## models against their registries, and the clients of the count APIs
	@go vet -tags generate ./core/model/...
	@MODEL_SOURCES=$(MODEL_SOURCES) go test -tags generate -json ./core/model/... ./core/provider/... ./lsp/countapi/... | go run ./mk/gotally
