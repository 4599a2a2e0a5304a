#!/bin/bash -eu
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds every fuzz target that needs no program of the machine, for OSS-Fuzz. They are found as `make fuzz` does it.
go get github.com/AdamKorcz/go-118-fuzz-build/testing
module=$(go list -m)
go run ./tools/fuzz -list | while read -r folder target; do
  case $target in
    FuzzGitignore) continue ;; # it asks git
  esac
  compile_native_go_fuzzer "$module/$folder" "$target" "$target"
  seeds=$folder/testdata/fuzz/$target
  if [ -d "$seeds" ]; then
    zip -qj "$OUT/${target}_seed_corpus.zip" "$seeds"/*
  fi
done
