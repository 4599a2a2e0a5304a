# Copyright The ctx-lsp authors. MIT licence.

# The linters: one for each language, with its settings at the root of the repository, and tools/style for what none of
# them checks. They are built from the Go module proxy and from npm, or come from Debian's packages.

LINT := tools/lint

GOLANGCI_VERSION := v2.15.0
GOLANGCI         := bin/lint/$(GOLANGCI_VERSION)/golangci-lint$(EXE)
BIOME            := $(LINT)/node_modules/.bin/biome
STYLUA           := node $(LINT)/stylua.mjs

LINT_TARGETS += lint-go lint-js lint-lua lint-shell lint-style lint-prose

.PHONY: lint
lint: $(LINT_TARGETS) ## every linter of every language

.PHONY: format
format: $(GOLANGCI) $(LINT)/node_modules ## formats everything, and mends what can be mended without thinking
	$(GOLANGCI) fmt ./...
	$(BIOME) check --write
	$(STYLUA) $$(git ls-files '*.lua')

# It is built once for each version: it has hundreds of dependencies, which take minutes.
$(GOLANGCI):
	@mkdir -p $(@D)
	GOBIN=$(CURDIR)/$(@D) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

$(LINT)/node_modules: $(LINT)/package-lock.json
	@cd $(LINT) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

.PHONY: lint-go
lint-go: $(GOLANGCI) ## Go: gofumpt, vet, staticcheck, revive, errcheck; vet on the other systems too
	$(GOLANGCI) run --allow-parallel-runners ./...
	for os in windows darwin; do GOOS=$$os CGO_ENABLED=0 $(GO) vet ./... || exit 1; done

.PHONY: lint-js
lint-js: $(LINT)/node_modules ## TypeScript and JavaScript: Biome
	$(BIOME) ci --error-on-warnings

.PHONY: lint-lua
lint-lua: $(LINT)/node_modules tools-lint ## Lua: stylua and luacheck
	$(STYLUA) --check $$(git ls-files '*.lua')
	luacheck -q $$(git ls-files '*.lua')

.PHONY: lint-shell
lint-shell: tools-lint ## scripts: shellcheck
	shellcheck -x $$(git ls-files '*.sh' .ci/run)

.PHONY: lint-style
lint-style: ## the header of every source file, and comments within 120 columns
	$(GO) run ./tools/style source

.PHONY: lint-prose
lint-prose: ## lines of Markdown within 120 columns, and no paragraph in a cell of a table
	$(GO) run ./tools/style prose

.PHONY: tools-lint
tools-lint:
	@bash mk/linters.sh
