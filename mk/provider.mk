# Copyright The ctx-lsp authors. MIT licence.

# Models and providers.

TEST_TARGETS += test-models

MODEL_SOURCES ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/models

.PHONY: models models-check test-models test-provider

models: ## regenerate core/model/table_data.go and conflicts.md from the pinned registries
	@mkdir -p $(MODEL_SOURCES)
	GOFLAGS=-tags=generator $(TOOL) gen/models -sources $(MODEL_SOURCES)

models-check: ## compare the committed model table with the pinned registries, entry by entry
	@mkdir -p $(MODEL_SOURCES)
	GOFLAGS=-tags=generator $(TOOL) gen/models -sources $(MODEL_SOURCES) -check

# npm downloads the registries. Without npm these tests are skipped with a message.
test-models: $(GOTALLY) ## the model table against the registries it is made from
	@$(GO) vet -C tools -tags generator ./gen/models
	@MODEL_SOURCES=$(MODEL_SOURCES) $(GO) test -C tools -tags generator -json ./gen/models | $(GOTALLY) test-models

test-provider: $(GOTALLY) ## everything about providers and models
	@export MODEL_SOURCES=$(MODEL_SOURCES); { $(GO) test -json ./core/model/... ./core/provider/... ./internal/countapi/...; \
		$(GO) test -C tools -tags generator -json ./gen/models; } | $(GOTALLY) test-provider
