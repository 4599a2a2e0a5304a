# Copyright The ctx-lsp authors. MIT licence.

# Models and providers.

TEST_TARGETS += test-models

MODEL_SOURCES ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ctx-lsp/models

.PHONY: models models-check test-models test-provider

models: ## regenerate core/model/table_data.go and conflicts.md from the pinned registries
	@mkdir -p $(MODEL_SOURCES)
	$(GO) run -tags generator ./tools/gen/models -sources $(MODEL_SOURCES)

models-check: ## compare the committed model table with the pinned registries, entry by entry
	@mkdir -p $(MODEL_SOURCES)
	$(GO) run -tags generator ./tools/gen/models -sources $(MODEL_SOURCES) -check

# npm brings the registries. Without npm these tests are skipped, and say so.
test-models: ## the model table against the registries it is made from
	@$(GO) vet -tags generator ./core/model/... ./tools/gen/models
	@MODEL_SOURCES=$(MODEL_SOURCES) $(GO) test -tags generator -json ./core/model/... ./tools/gen/models | $(GO) run ./tools/gotally

test-provider: ## everything about providers and models
	@MODEL_SOURCES=$(MODEL_SOURCES) $(GO) test -tags generator -json ./core/model/... ./tools/gen/models ./core/provider/... ./internal/countapi/... | $(GO) run ./tools/gotally
