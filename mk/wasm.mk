# Copyright The ctx-lsp authors. MIT licence.

# The core as WebAssembly. TinyGo's module has a quarter of the size and no imports; it is tested and released. Without
# TinyGo, the Go toolchain builds one. Both pass the same vectors. internal/engine/interrupt then adds a hook for
# deadlines and the compiler's name.

WASM     := wasm/js/ctx.wasm
PACKED   := wasm/js/ctx.zst
GO_WASM  := bin/go.wasm
COMPILER := bin/compiler
VECTORS  := testdata/conformance/vectors.zip
MODULE   := github.com/ctx-lsp/ctx-lsp
TINYGO   ?= $(or $(addprefix $(CURDIR)/,$(wildcard bin/tinygo)),$(shell command -v tinygo 2>/dev/null))
WASM_SRC := go.mod $(shell find core wasm internal/json core/internal/template internal/engine/interrupt tools/interrupt -type f ! -name '*_test.go' ! -path 'wasm/js/*' ! -path '*/node_modules/*' 2>/dev/null)

.PHONY: wasm
wasm: $(WASM) $(PACKED) $(VECTORS) ## wasm/js/ctx.wasm: by bin/tinygo, else by a tinygo on the PATH (or TINYGO=…), else by Go; compressed for Go programs, too

.PHONY: tinygo
tinygo: ## bin/tinygo: TinyGo from its Go module and Debian's LLVM, built once and kept in the cache
	@bash mk/tinygo.sh

WASM_BY_TINYGO = $(TINYGO) build -target=wasm-unknown -scheduler=none -gc=precise -opt=z -no-debug \
	-ldflags="-extldflags='-z stack-size=1048576 --initial-memory=4194304'"
WASM_BY_GO     = GOOS=wasip1 GOARCH=wasm $(GO) build -trimpath -buildvcs=false -buildmode=c-shared -ldflags="-s -w -buildid="
GO_COMPILER    = $(GO) env GOVERSION | sed 's/^go/Go /'
WASM_COMPILER  = $(if $(TINYGO),$(TINYGO) version | sed 's/^tinygo version \([^ ]*\) .*go version go\([^ ]*\) .*/TinyGo \1 with Go \2/',$(GO_COMPILER))

# finished adds the hook and a compiler's name to $$new.raw. The module is written under another name and then renamed,
# so that concurrent readers get a complete one.
finished = $(TOOL) interrupt $$new.raw $$new "$$($(1))"; mv $$new $@; \
	echo "$@: $$(($$(wc -c < $@) / 1024)) KB by $$($(1))"

# The file changes if another compiler is used, so that the module is built again.
.PHONY: compiler
compiler:
$(COMPILER): compiler
	@mkdir -p bin; name="$$($(WASM_COMPILER))"; [ "$$(cat $@ 2>/dev/null)" = "$$name" ] || echo "$$name" > $@

$(WASM): $(WASM_SRC) $(COMPILER)
	@new=$@.$$$$; trap 'rm -f $$new.raw $$new' EXIT; set -e; \
	$(if $(TINYGO),$(WASM_BY_TINYGO),$(WASM_BY_GO)) -o $$new.raw ./wasm; $(call finished,$(WASM_COMPILER))

# Go's module, for the vectors and the table of both in docs/performance.md.
$(GO_WASM): $(WASM_SRC)
	@mkdir -p bin; new=$@.$$$$; trap 'rm -f $$new.raw $$new' EXIT; set -e; \
	$(WASM_BY_GO) -o $$new.raw ./wasm; $(call finished,$(GO_COMPILER))

# The module, and one that fails on request, for the Go tests of the engine.
TEST_WASM := bin/test-modules
.PHONY: test-modules
test-modules: wasm $(TEST_WASM)/ctxctxfault.wasm
	@cp $(WASM) $(TEST_WASM)/
$(TEST_WASM)/ctxctxfault.wasm: $(WASM_SRC) $(COMPILER)
	@mkdir -p $(@D); new=$@.$$$$; trap 'rm -f $$new.raw $$new' EXIT; set -e; \
	$(if $(TINYGO),$(WASM_BY_TINYGO),$(WASM_BY_GO)) -tags=ctxfault -o $$new.raw ./wasm; $(call finished,$(WASM_COMPILER))

$(PACKED): $(WASM) tools/zstd/main.go
	@new=$@.$$$$; trap 'rm -f $$new' EXIT; set -e; $(TOOL) zstd $< $$new; mv $$new $@

$(VECTORS): $(wildcard testdata/conformance/*.json testdata/conformance/*.sum) testdata/conformance/vectors.go tools/vectors/main.go
	@new=$@.$$$$; trap 'rm -f $$new' EXIT; set -e; $(TOOL) vectors testdata/conformance $$new; mv $$new $@

TEST_TARGETS += test-size
.PHONY: test-size
test-size: wasm ## the module against its limits, which are different for TinyGo's and Go's
	@bash wasm/size.sh $(WASM) $(if $(TINYGO),tinygo,go)

.PHONY: size
size: wasm ## what the program consists of, as released for Linux
	@mkdir -p bin/size
	@GOOS=linux GOARCH=amd64 CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags='-s -w' -o bin/size/ctx-lsp ./cmd/ctx-lsp
	@$(TOOL) size bin/size/ctx-lsp

.PHONY: generated types
generated types: ## what follows from the schema in core/api and the entries of core/agent: Go, TypeScript, Lua, tables of documents
	$(GO) generate ./core/api ./core/agent
	$(TOOL) gen/commands
	node site/list.mjs

LINT_TARGETS += lint-generated
.PHONY: lint-generated
lint-generated: ## whether all of that is up to date
	$(TOOL) gen/types -check
	$(TOOL) gen/agents -check
	$(TOOL) gen/prefix -check
	$(TOOL) gen/commands -check

.PHONY: vectors
vectors: ## answers.sum and agent-lines.json in testdata/conformance, the recorded digests in core, the sessions of the lab's stores, after a change of answers that is meant
	$(GO) test ./internal/agents -count=1 -run '^TestStoresOfTheLab' -update
	$(GO) test ./core ./core/provider ./core/agent -count=1 -run 'WhatIsRecorded$$' -update
	$(GO) test ./core/api -count=1 -run '^TestVectorsOfTextAgents$$|^TestReadingsOf' -update
	$(GO) run ./cmd/ctx-lsp conformance --update testdata/conformance

.PHONY: test-conformance
test-conformance: build $(GO_WASM) ## the vectors natively, and in wazero and Node on the module and on Go's
	@bash wasm/conformance.sh $(BIN)$(EXE) $(WASM) $(if $(TINYGO),$(GO_WASM))

.PHONY: test-tinygo
test-tinygo: tinygo ## TinyGo's module: the vectors in Node and wazero, compared with native answers; its size and hash
	@TINYGO=$(CURDIR)/bin/tinygo $(MAKE) --no-print-directory build
	@bash wasm/size.sh $(WASM) tinygo | sed '$$d'
	@bash wasm/conformance.sh $(BIN)$(EXE) $(WASM)

TEST_TARGETS += test-js
.PHONY: test-js
test-js: wasm ## the JavaScript loader on Node
	@bash wasm/js/test.sh

# TinyGo's int has 32 bits, and so has that of 386, which the same processor runs. Long tests of what does not depend on
# it are left out, or try fewer random texts.
ifeq ($(shell $(GO) env GOHOSTOS GOHOSTARCH | xargs),linux amd64)
TEST_TARGETS += test-32bit
endif
.PHONY: test-32bit
test-32bit: $(GOTALLY) ## the core with an int of 32 bits, as TinyGo has it
	@GOARCH=386 CGO_ENABLED=0 $(GO) test -short -json -skip '^TestEmbeddedPacks|^TestPacksKeep|^TestMemoryIsBounded|DoesNotAllocate$$' ./core/... | $(GOTALLY) test-32bit

BENCH_TARGETS += bench-js
.PHONY: bench-js
bench-js: wasm wasm/js/bench/node_modules ## the package beside gpt-tokenizer, js-tiktoken and tokenlens: wrong counts, speed, known windows
	node wasm/js/bench/bench.mjs

wasm/js/bench/node_modules: wasm/js/bench/package-lock.json
	cd wasm/js/bench && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

BENCH_TARGETS += bench-engine
.PHONY: bench-engine
bench-engine: wasm ## one update on small and large sessions, the cost of a call under wazero
	$(GO) test -run '^$$' -bench . -benchtime 1s ./internal/engine

BENCH_TARGETS += bench-modules
.PHONY: bench-modules
bench-modules: build $(GO_WASM) ## TinyGo's and Go's module in one run: size, first and later starts, update, memory at rest
	@$(TOOL) bench modules $(BENCH_FLAGS) -ctx-lsp $(BIN)$(EXE)
