# Copyright The ctx-lsp authors. MIT licence.

# A release: `make release VERSION=0.2.0` writes dist/, and nothing is published by it. Times are those of the commit,
# so that the same commit gives the same bytes in every folder.

# It is built from the Go module proxy once, like the linters, and takes minutes.
GORELEASER_VERSION := v2.16.0
GORELEASER         := bin/lint/goreleaser-$(GORELEASER_VERSION)/goreleaser$(EXE)

$(GORELEASER):
	@mkdir -p $(@D)
	GOBIN=$(CURDIR)/$(@D) CGO_ENABLED=0 $(GO) install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)

RELEASE   := bin/release
PLATFORMS := linux-x64 linux-arm64 darwin-x64 darwin-arm64 win32-x64 win32-arm64

# All programs of a release are built with these. The version control's stamp would contain the directory of the build.
RELEASE_GOFLAGS = -buildvcs=false

# A line with MAKE itself in it would be run by `make -n` too.
RELEASE_MAKE := $(MAKE)

.PHONY: release
release: $(GORELEASER) wasm extensions/vscode/node_modules/.package-lock.json extensions/browser/node_modules ## dist/: everything of a release that can be published, VERSION=0.2.0
	@MAKE="$(RELEASE_MAKE)" GO="$(GO)" GORELEASER="$(CURDIR)/$(GORELEASER)" RELEASE_GOFLAGS="$(RELEASE_GOFLAGS)" \
		bash mk/release.sh "$(VERSION)" $(PLATFORMS)

.PHONY: test-release
test-release: ## a release is made twice, in two folders, and compared byte by byte; minutes
	@bash mk/reproducible.sh

.PHONY: test-dist
test-dist: extensions/browser/node_modules ## what lies in dist/ installed and run: npm, npx, pip, uv, pipx, deb, rpm, apk, archives, VS Code's package, both browsers, go install, pre-commit; `make release` first (DIST_TESTS="npm deb" for some)
	@bash mk/dist.sh $(DIST_TESTS)

.PHONY: test-windows
test-windows: wasm ## the Go tests and the commands under Wine, from Debian's packages; minutes (PACKAGES=./lsp for some)
	@bash mk/windows.sh $(PACKAGES)
