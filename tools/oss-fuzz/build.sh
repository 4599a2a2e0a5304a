#!/bin/bash -eu
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds all fuzz targets for OSS-Fuzz, with the inputs that they begin with. They are found as `make fuzz` finds them.
# go-118-fuzz-build moves the one file of a target out of the tests; what other test files define is then missing. So
# our own tool makes the archives (tools/fuzz/archive.go), in the same format of inputs. What measures coverage builds
# tests, which need nothing of that.
#
# `make oss-fuzz` runs this with the machine's clang; ONLY=NAME,NAME builds some.
module=$(go list -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -C tools -o "$work/fuzz" ./fuzz
"$work/fuzz" -list ${ONLY:+-only "$ONLY"} > "$work/targets"

# The files from which some targets prepare. The repository is not there when they run.
mkdir -p "$OUT/ctx-lsp"
git ls-files -z '*testdata*' ':!*testdata/fuzz/*' | tar -c --null -T - | tar -x -C "$OUT/ctx-lsp"

while read -r folder target; do
  if [[ ${SANITIZER:-} == *coverage* ]]; then
    compile_native_go_fuzzer_v2 "$module/$folder" "$target" "$target"
    continue
  fi
  mkdir -p "$OUT/ctx-lsp/$folder"
  "$work/fuzz" -archive "$work" -only "$target"
  # shellcheck disable=SC2086 # these are several words, and LIB_FUZZING_ENGINE may be one
  $CXX ${CXXFLAGS:-} $LIB_FUZZING_ENGINE "$work/$target.a" -o "$OUT/$target"
  rm "$work/$target.a"
  seeds=$work/seeds-$target
  "$work/fuzz" -seeds "$seeds" -only "$target"
  FUZZ_SEEDS=$seeds "$OUT/$target" -runs=1 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  zip -qjr "$OUT/${target}_seed_corpus.zip" "$seeds"
done < "$work/targets"
