# Copyright The ctx-lsp authors. MIT licence.

# Each language has a linter with its settings at the root of the repository; tools/style checks what none of them does.
# The linters are built from the Go module proxy and from npm, or come from Debian's packages.

LINT := tools/lint

GOLANGCI_VERSION := v2.15.0
GOLANGCI         := bin/lint/$(GOLANGCI_VERSION)/golangci-lint$(EXE)
BIOME            := $(LINT)/node_modules/.bin/biome
STYLUA           := node $(LINT)/stylua.mjs

ACTIONLINT_VERSION  := v1.7.12
ACTIONLINT          := bin/lint/actionlint-$(ACTIONLINT_VERSION)/actionlint$(EXE)
GOVULNCHECK_VERSION := v1.9.0
GOVULNCHECK         := bin/lint/govulncheck-$(GOVULNCHECK_VERSION)/govulncheck$(EXE)

LINT_TARGETS += lint-go lint-js lint-lua lint-shell lint-style lint-prose lint-supply lint-workflows

.PHONY: format
format: $(GOLANGCI) $(LINT)/node_modules ## formats everything, and mends what can be mended without thinking
	$(GOLANGCI) fmt ./...
	$(BIOME) check --write
	$(STYLUA) $$(git ls-files '*.lua')

# golangci-lint is built once for each version, because its hundreds of dependencies need minutes.
$(GOLANGCI):
	@mkdir -p $(@D)
	GOBIN=$(CURDIR)/$(@D) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

$(LINT)/node_modules: $(LINT)/package-lock.json
	@cd $(LINT) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

.PHONY: lint-go
lint-go: $(GOLANGCI) ## Go: gofumpt, vet, staticcheck, revive, errcheck, gosec's serious rules; vet on the other systems too
	$(GOLANGCI) run --allow-parallel-runners ./...
	for module in fleet tools; do (cd $$module && $(CURDIR)/$(GOLANGCI) run --allow-parallel-runners ./...) || exit 1; done
	for os in windows darwin; do for module in . fleet tools; do GOOS=$$os CGO_ENABLED=0 $(GO) vet -C $$module ./... || exit 1; done; done
	for tag in chaos ctxfault beside; do $(GO) vet -tags $$tag ./cmd/ctx-lsp ./internal/cli ./wasm ./internal/assets || exit 1; done

.PHONY: lint-changed
lint-changed: ## the linters that are installed, on the files that differ from the main branch
	@GOLANGCI=$(GOLANGCI) BIOME=$(BIOME) STYLUA="$(STYLUA)" bash mk/changed.sh

.PHONY: lint-js
lint-js: $(LINT)/node_modules ## TypeScript and JavaScript: Biome
	$(BIOME) ci --error-on-warnings

.PHONY: lint-lua
lint-lua: $(LINT)/node_modules tools-lint ## Lua: stylua and luacheck
	$(STYLUA) --check $$(git ls-files '*.lua')
	luacheck -q $$(git ls-files '*.lua')

.PHONY: lint-shell
lint-shell: tools-lint ## scripts: shellcheck
	shellcheck -x $$(git ls-files '*.sh' .ci/run .githooks/commit-msg)

.PHONY: lint-style
lint-style: ## the header of every source file, and comments within 120 columns
	$(TOOL) style source

.PHONY: lint-prose
lint-prose: ## lines of Markdown within 120 columns, and no paragraph in a cell of a table
	$(TOOL) style prose

.PHONY: hooks
hooks: ## checks the subject of each commit made in this clone: "package: imperative", at most 72 characters
	git config core.hooksPath .githooks

.PHONY: lint-supply
lint-supply: ## what comes from elsewhere: actions by commit, few permissions, lock files whole and without hosts
	$(TOOL) style supply

$(ACTIONLINT):
	@mkdir -p $(@D)
	GOBIN=$(CURDIR)/$(@D) $(GO) install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)

.PHONY: lint-workflows
lint-workflows: $(ACTIONLINT) tools-lint ## GitHub's workflows: actionlint, with shellcheck for their scripts
	$(ACTIONLINT)

$(GOVULNCHECK):
	@mkdir -p $(@D)
	GOBIN=$(CURDIR)/$(@D) $(GO) install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)

.PHONY: vuln
vuln: $(GOVULNCHECK) audit ## known vulnerabilities in what the programs call; it asks the Go vulnerability database, and npm's
	$(GOVULNCHECK) ./...
	$(GOVULNCHECK) -C fleet ./...
	$(GOVULNCHECK) -C tools ./...

.PHONY: audit
audit: ## known vulnerabilities in the packages of every lock file; it asks npm's database
	@for lock in $$(git ls-files '*package-lock.json'); do \
		echo "npm audit $$lock"; \
		report=$$(cd $$(dirname $$lock) && npm audit --package-lock-only --audit-level=high 2>&1) && continue; \
		case $$report in \
			*"audit endpoint"*) echo "not checked: this registry has no audit endpoint" >&2 ;; \
			*) echo "$$report"; exit 1 ;; \
		esac; \
	done

.PHONY: tools-lint
tools-lint:
	@bash mk/linters.sh
