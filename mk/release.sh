#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Makes dist/ for `make release`: mk/release.sh VERSION PLATFORM...
# It needs git, Go, Node and what the Makefile has built: goreleaser, the module, node_modules of the extensions.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
shift
if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  echo "release: VERSION is \"$version\"; it must be like 0.2.0, because VS Code and the browsers know no other form" >&2
  exit 2
fi
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "release: files were changed since the last commit; a release is made of a commit" >&2
  [ "${DIRTY:-}" = 1 ] || exit 2
fi
umask 022
# Packages keep the modes of files, which in a checkout depend on its user.
git ls-files -z | xargs -0 chmod u=rwX,go=rX
chmod 644 wasm/js/ctx.wasm
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
revision=$(git rev-parse HEAD)
RELEASE_DATE=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
export VERSION=$version REVISION=$revision SOURCE_DATE_EPOCH RELEASE_DATE TZ=UTC LC_ALL=C
here=bin/release
say() { printf '== %s\n' "$*"; }

say "the program of this machine, its manual page and completions"
rm -rf dist $here
mkdir -p dist $here/man $here/completions
CGO_ENABLED=0 $GO build -trimpath -buildvcs=false -ldflags "-X github.com/ctx-lsp/ctx-lsp/internal/cli.version=$version" -o $here/ctx-lsp ./cmd/ctx-lsp
mk/tool.sh gen/commands -man "$version" | gzip -9n >$here/man/ctx-lsp.1.gz
$here/ctx-lsp completion bash >$here/completions/ctx-lsp.bash
$here/ctx-lsp completion zsh >$here/completions/_ctx-lsp
$here/ctx-lsp completion fish >$here/completions/ctx-lsp.fish
$here/ctx-lsp completion powershell >$here/completions/ctx-lsp.ps1

say "the module: $($here/ctx-lsp version | sed 's/.*, //; s/)$//'), $(sha256sum wasm/js/ctx.wasm | cut -d' ' -f1)"

say "notices and the bill of materials"
$GO build -C tools/release -o ../../$here/release .
release=$here/release
$release notices $here/THIRD_PARTY_NOTICES.txt
cp $here/THIRD_PARTY_NOTICES.txt dist/
notices=$PWD/$here/THIRD_PARTY_NOTICES.txt
$release sbom "$version" "dist/ctx-lsp.spdx.json"

say "programs, archives and packages of systems"
GOFLAGS=$RELEASE_GOFLAGS $GORELEASER release --config .goreleaser.yaml --snapshot --clean --parallelism 1 --skip=publish
find $here/goreleaser -maxdepth 1 -type f \( -name '*.tar.gz' -o -name '*.zip' -o -name '*.deb' -o -name '*.rpm' -o -name '*.apk' \) \
  -exec cp {} dist/ \;
# The recipes for other repositories: a cask, a bucket, manifests and build files, as one archive.
(cd $here/goreleaser && find . -mindepth 1 -maxdepth 1 -type d ! -name 'ctx-lsp_*' ! -name 'ctx-lsp-fleet_*' -printf '%f\0' |
  tar --null --files-from=- --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf -) | gzip -9n >"dist/ctx-lsp-$version-recipes.tar.gz"
for os in linux darwin windows; do
  for arch in amd64 arm64; do
    mkdir -p "$here/programs/$os-$arch"
    cp $here/goreleaser/ctx-lsp_"$os"_"$arch"*/ctx-lsp* "$here/programs/$os-$arch/"
  done
done
# An alarm: a program that grows beyond it for a good reason gets a new limit. `make size` shows what it consists of.
large=$(find $here/programs -name 'ctx-lsp*' ! -name '*fleet*' -size +32000000c -printf '%P %s\n')
if [ -n "$large" ]; then
  echo "release: programs of more than 32 MB: $large" >&2
  exit 1
fi

say "the packages of npm"
$release npm "$version" $here/programs $here/THIRD_PARTY_NOTICES.txt dist
cp -r wasm/js $here/core
(cd $here/core && rm -f ./*.test.mjs ./*.go && cp ../../../internal/assets/*.ctxv . &&
  npm pkg set "version=$version" && npm pkg delete scripts && npm pack --silent --pack-destination ../../../dist >/dev/null)
(cd extensions/vscode && node types.mjs "../../$here/types" >/dev/null)
(cd $here/types && npm pkg set "version=$version" && npm pack --silent --pack-destination ../../../dist >/dev/null)

say "the packages of PyPI"
$release wheels "$version" $here/programs $here/THIRD_PARTY_NOTICES.txt dist

say "the extension of VS Code"
for target in "$@"; do
  $MAKE --no-print-directory vscode-package TARGET="$target" VSIX_VERSION="$version" VSIX_REVISION="$revision" VSIX_NOTICES="$notices" VSIX_OUT="$PWD/dist/ctx-lsp-$version-$target.vsix"
done
(cd extensions/vscode && node package.mjs --version "$version" --notices "$notices" --out "$PWD/../../dist/ctx-lsp-$version-universal.vsix" &&
  node package.mjs --version "$version" --notices "$notices" --target web --out "$PWD/../../dist/ctx-lsp-$version-web.vsix")

say "the extension of browsers, and its sources for those who review it"
(cd extensions/browser && CTX_VERSION=$version CTX_NOTICES=$notices node build.mjs && cp "dist/ctx-lsp-chromium-$version.zip" "dist/ctx-lsp-firefox-$version.zip" ../../dist/)
git archive --format=zip --prefix="ctx-lsp-$version/" -9 -o "dist/ctx-lsp-$version-sources.zip" HEAD

$release sums dist
find dist -type f -printf '%11s  %f\n' | sort -k2
