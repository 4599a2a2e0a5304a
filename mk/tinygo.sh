#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Builds TinyGo from its Go module and Debian's LLVM, once for each version of this recipe, and writes bin/tinygo.
#   mk/tinygo.sh [packages]
# With "packages" it only installs what the build needs.
#
# bin/tinygo is a wrapper. It sets the Go toolchain and replaces the target wasm-unknown by mk/tinygo/wasm.json. TinyGo
# compiles its runtime library and memcpy from submodules that its Go module lacks; our target links Debian's archives
# instead.
#
# It exits with 3 and one message if TinyGo is not available here: another system, or a registry that refuses. Every
# other failure exits with 1.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.40.1
sum=h1:MH7ISyt/UxKau5uacBQPg6GI6MhtdrLfv7z8UzX+sWs=
toolchain=go1.25.5 # TinyGo 0.40 refuses Go 1.26
packages=(g++ clang-19 llvm-19-dev libclang-19-dev lld-19 libclang-rt-19-dev-wasm32 wasi-libc binaryen)

target=mk/tinygo/wasm.json
recipe=$(cat mk/tinygo.sh "$target" | sha256sum | cut -c1-12)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ctx-lsp/tinygo
folder=$cache/$version-$recipe

log=$(mktemp)
new=""
trap 'rm -rf "$log" "$new"' EXIT

unavailable() {
  rm -f bin/tinygo
  echo "TinyGo $version is not available here: $1. Go builds the WebAssembly module instead." >&2
  if [ -s "$log" ]; then tail -n 3 "$log" | sed 's/^/  /' >&2; fi
  exit 3
}

failed() {
  cat "$log" >&2
  echo "mk/tinygo.sh: $1; its output is above" >&2
  exit 1
}

install_packages() {
  command -v apt-get >/dev/null || unavailable "it is built with packages of Debian, and there is no apt-get"
  # shellcheck disable=SC2016 # the expansion is dpkg-query's
  [ "$(dpkg-query -W -f '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | grep -c '^installed')" -lt "${#packages[@]}" ] || return 0
  sh mk/apt.sh install "${packages[@]}" >"$log" 2>&1 || unavailable "apt-get did not install ${packages[*]}"
}

# Modules come from the registry only before the build, so that an error of the build is an error of the recipe.
download() {
  local module
  module=$(go mod download -json "github.com/tinygo-org/tinygo@v$version" 2>"$log") ||
    { echo "$module" >>"$log"; unavailable "the module proxy did not deliver github.com/tinygo-org/tinygo@v$version"; }
  field() { sed -n "s/^\t\"$1\": \"\(.*\)\",\{0,1\}$/\1/p" <<<"$module"; }
  [ "$(field Sum)" = "$sum" ] || { echo "its sum is $(field Sum), not $sum" >"$log"; failed "the module proxy delivered another TinyGo $version"; }
  cp -r --no-preserve=mode "$(field Dir)/." "$new"
  mkdir -p "$new/src/net" # a submodule, which the module lacks and nothing here imports
  (cd "$new" && GOTOOLCHAIN=$toolchain go mod download) >"$log" 2>&1 ||
    unavailable "the module proxy did not deliver $toolchain or TinyGo's modules"
}

build() {
  install_packages
  mkdir -p "$cache"
  exec 8>"$cache/lock"
  flock 8
  [ ! -x "$folder/tinygo" ] || return 0
  echo "building TinyGo $version, which takes half a minute of CPU time"
  new=$(mktemp -d "$cache/new.XXXXXX")
  chmod 755 "$new"
  download
  (cd "$new" && GOTOOLCHAIN=$toolchain GOFLAGS="" CGO_ENABLED=1 go build -trimpath -tags llvm19 -o tinygo .) >"$log" 2>&1 ||
    failed "TinyGo $version cannot be built"
  cp "$target" "$new/targets/ctx-lsp.json"
  rm -rf "$folder"
  mv "$new" "$folder"
  new=""
}

# wrapper prints bin/tinygo.
wrapper() {
  cat <<EOF
#!/bin/sh
# TinyGo $version, made by mk/tinygo.sh.
at='$folder'
EOF
  cat <<'EOF'
[ -x "$at/tinygo" ] || { echo "TinyGo is no longer in $at; \`make tinygo\` builds it" >&2; exit 1; }
for word; do
  shift
  case $word in
  -target=wasm-unknown | --target=wasm-unknown) word=-target=$at/targets/ctx-lsp.json ;;
  wasm-unknown) word=$at/targets/ctx-lsp.json ;; # of -target wasm-unknown
  esac
  set -- "$@" "$word"
done
EOF
  # GOFLAGS is of the Go toolchain that builds everything else.
  echo "TINYGOROOT=\$at GOTOOLCHAIN=$toolchain GOFLAGS= exec \"\$at/tinygo\" \"\$@\""
}

case ${1:-} in
packages) install_packages ;;
"")
  build
  mkdir -p bin
  wrapper >"$log"
  chmod 755 "$log"
  cmp -s "$log" bin/tinygo || { cp "$log" bin/tinygo.new && chmod 755 bin/tinygo.new && mv bin/tinygo.new bin/tinygo; }
  bin/tinygo version >"$log" 2>&1 || failed "TinyGo does not start"
  sed 's/^/bin\/tinygo: /' "$log"
  ;;
*)
  echo "mk/tinygo.sh: it takes nothing, or packages, not \"$*\"" >&2
  exit 2
  ;;
esac
