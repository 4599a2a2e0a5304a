# Copyright The ctx-lsp authors. MIT licence.

# The VS Code extension. Its tests install the editors that they drive into $CTX_TEST_CACHE or ~/.cache/ctx-lsp-test.

VSCODE := extensions/vscode

TEST_TARGETS += test-vscode
TOOLS_TARGETS += tools-vscode
LINT_TARGETS += lint-vscode

$(VSCODE)/node_modules/.package-lock.json: $(VSCODE)/package-lock.json
	@cd $(VSCODE) && npm ci --no-audit --no-fund --silent
	@touch $@

.PHONY: vscode
vscode: wasm $(VSCODE)/node_modules/.package-lock.json ## the universal VS Code extension, extensions/vscode/ctx-lsp-universal.vsix
	@cd $(VSCODE) && node package.mjs

# TARGET is the platform of the daemon, as VS Code names it: linux-x64, linux-arm64, darwin-x64, darwin-arm64, win32-x64
# or win32-arm64. A package holds the module and the vocabularies once, beside the daemon, because the extension's own
# engine reads them too.
TARGET ?= $(shell $(GO) env GOOS GOARCH | xargs | sed 's/windows/win32/; s/ /-/; s/amd64/x64/')
VSCODE_GOOS   = $(subst win32,windows,$(word 1,$(subst -, ,$(TARGET))))
VSCODE_GOARCH = $(subst x64,amd64,$(word 2,$(subst -, ,$(TARGET))))
VSCODE_DAEMON = bin/vscode/$(TARGET)/ctx-lsp$(if $(filter windows,$(VSCODE_GOOS)),.exe)

# A release names its version, its notices and where the package goes; see mk/release.sh.
VSCODE_RELEASE = $(if $(VSIX_VERSION),--version $(VSIX_VERSION)) $(if $(VSIX_NOTICES),--notices $(abspath $(VSIX_NOTICES))) $(if $(VSIX_OUT),--out $(VSIX_OUT))

.PHONY: vscode-daemon
vscode-daemon: # the daemon as it lies in the package of TARGET
	@mkdir -p $(dir $(VSCODE_DAEMON))
	@GOOS=$(VSCODE_GOOS) GOARCH=$(VSCODE_GOARCH) CGO_ENABLED=0 $(GO) build -trimpath -tags beside \
		-ldflags='-s -w$(if $(VSIX_VERSION), -X github.com/ctx-lsp/ctx-lsp/internal/cli.version=$(VSIX_VERSION) -X github.com/ctx-lsp/ctx-lsp/internal/cli.revision=$(VSIX_REVISION))' -o $(VSCODE_DAEMON) ./cmd/ctx-lsp

.PHONY: vscode-platform
vscode-platform: wasm $(if $(DAEMON),,vscode-daemon) $(VSCODE)/node_modules/.package-lock.json ## the extension with the daemon of a platform: TARGET=linux-x64; DAEMON=path for a program of your own
	@cd $(VSCODE) && node package.mjs --target $(TARGET) --daemon $(abspath $(or $(DAEMON),$(VSCODE_DAEMON))) $(VSCODE_RELEASE)

# Without a version of its own, a package has that of package.json with the number of commits as its last part.
VSIX_COMMITS = $(shell sed -n 's/^  "version": "\([0-9]*\.[0-9]*\)\.[0-9]*",/\1/p' $(VSCODE)/package.json).$(shell git rev-list --count HEAD)

.PHONY: vscode-notices
vscode-notices: wasm $(VSCODE)/node_modules/.package-lock.json # the notices of third parties, unless a release has written them
	@mkdir -p bin/vscode
	@$(if $(filter bin/vscode/%,$(VSIX_NOTICES)),$(GO) build -C tools/release -o ../../bin/vscode/release . && bin/vscode/release notices $(VSIX_NOTICES))

.PHONY: vscode-package
vscode-package: VSIX_VERSION := $(or $(VSIX_VERSION),$(VSIX_COMMITS))
vscode-package: VSIX_REVISION := $(or $(VSIX_REVISION),$(shell git rev-parse HEAD))
vscode-package: VSIX_NOTICES := $(or $(VSIX_NOTICES),bin/vscode/THIRD_PARTY_NOTICES.txt)
vscode-package: vscode-notices vscode-platform ## the package of a platform, as it is published: TARGET=linux-x64, darwin-arm64, win32-x64 …

.PHONY: vscode-types
vscode-types: $(VSCODE)/node_modules/.package-lock.json ## the npm package with the types of the API, extensions/vscode/out/ctx-lsp-vscode-VERSION.tgz
	@cd $(VSCODE) && node types.mjs out/types && npm pack --silent --pack-destination out ./out/types

.PHONY: test-vscode
test-vscode: wasm $(VSCODE)/node_modules/.package-lock.json ## the extension in the real workbench, on code-server and in VS Code for the Web (NAMES="focus api" for some)
	@cd $(VSCODE) && npm run --silent check-types && node test/run.mjs $(NAMES)

.PHONY: tools-vscode
tools-vscode: $(VSCODE)/node_modules/.package-lock.json
	@cd $(VSCODE) && node test/install.mjs

.PHONY: vscode-screenshots
vscode-screenshots: wasm $(VSCODE)/node_modules/.package-lock.json ## pictures of every view in four themes and two widths, in extensions/vscode/out/screenshots
	@cd $(VSCODE) && node test/run.mjs pictures

.PHONY: vscode-pictures
vscode-pictures: vscode-screenshots ## the pictures that the README shows, taken anew
	@cp $(VSCODE)/out/screenshots/readme/*.png $(VSCODE)/media/screenshots/

.PHONY: vscode-figures
vscode-figures: wasm $(VSCODE)/node_modules/.package-lock.json ## activation, write to screen and rest with fifty sessions, measured in the real editor
	@cd $(VSCODE) && node test/run.mjs figures

.PHONY: lint-vscode
lint-vscode: $(VSCODE)/node_modules/.package-lock.json ## strict types of the extension, its page and its tests
	@cd $(VSCODE) && npm run --silent check-types
