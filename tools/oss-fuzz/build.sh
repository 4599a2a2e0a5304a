#!/bin/bash -eu
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds the fuzz targets of all packages that can be imported, for OSS-Fuzz. They are found as `make fuzz` does it.
# Those of the command line stay out: its package is a program.
go get github.com/AdamKorcz/go-118-fuzz-build/testing
module=$(go list -m)
go run ./tools/fuzz -list | while read -r folder target; do
  case $folder in cmd/*) continue ;; esac
  compile_native_go_fuzzer "$module/$folder" "$target" "$target"
  seeds=$folder/testdata/fuzz/$target
  if [ -d "$seeds" ]; then
    zip -qj "$OUT/${target}_seed_corpus.zip" "$seeds"/*
  fi
done
