#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the contents of dist/, made by `make release`, like users do, each in an empty place, and runs them. The last
# line is "N passed, M failed". mk/dist.sh [sums|recipes|archive|deb|rpm|apk|npm|python|vsix|browsers|go|precommit]...
set -uo pipefail
cd "$(dirname "$0")/.." || exit
root=$PWD
[ -f dist/SHA256SUMS ] || { echo "there is no dist/; \`make release VERSION=0.0.1\` makes it" >&2; exit 2; }
version=$(sed -n 's/^.*  ctx-lsp-\([0-9.]*\)-universal\.vsix$/\1/p' dist/SHA256SUMS)
revision=$(sed -n 's/.*\/sbom-\([0-9a-f]\{40\}\)".*/\1/p' dist/ctx-lsp.spdx.json)
place=$(mktemp -d)
started=()
clean() {
  for pid in "${started[@]:-}"; do [ -n "$pid" ] && kill "$pid" 2>/dev/null; done
  rm -rf "$place"
}
trap clean EXIT
passed=0 failed=0
# check NAME COMMAND... counts a command that has to succeed, and shows its output if it does not.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    echo "$output" | cut -c1-200 | sed 's/^/      /' | tail -n 20
  fi
}
# fresh runs a program like on a new machine without any settings.
fresh() {
  mkdir -p "$place/home"
  env -i HOME="$place/home" PATH="$PATH" LANG=C.UTF-8 "$@"
}
# works checks that a program is complete and the one of this release: it prints its version and commit, contains the
# module, and shows a session.
works() {
  fresh "$@" version --json | grep -q "\"version\": *\"$version\"" || { echo "its version is $(fresh "$@" version)"; return 1; }
  fresh "$@" version --json | grep -q "\"revision\": *\"$revision\"" || { fresh "$@" version --json; return 1; }
  fresh "$@" version --json | grep -q '"module": *"' || { echo "it does not say which module it contains"; return 1; }
  [ "$(fresh "$@" count --encoding=o200k - <<<'Hello, world!' | grep -o '[0-9]*' | head -1)" = 4 ] || { echo "it does not count"; return 1; }
  fresh "$@" call ctx/models --engine=wasm --params='{"query":"opus"}' >/dev/null || return 1
  fresh "$@" status --calls "$root/testdata/sessions/sample.jsonl" | grep -q '%' || { echo "it shows no session"; return 1; }
}

of_sums() {
  check "the checksums fit" sh -c 'cd dist && sha256sum --check --quiet SHA256SUMS'
  # shellcheck disable=SC2012
  check "every file has a checksum" test "$(ls dist | wc -l)" -eq "$(($(wc -l <dist/SHA256SUMS) + 1))"
  check "the bill of materials is SPDX 2.3, and names what is inside" node -e '
    const b = JSON.parse(require("node:fs").readFileSync("dist/ctx-lsp.spdx.json"));
    const ids = new Set(b.packages.map((p) => p.SPDXID));
    if (b.spdxVersion !== "SPDX-2.3" || b.packages.length < 40 || ids.size !== b.packages.length) process.exit(1);
    if (!b.relationships.every((r) => r.spdxElementId === "SPDXRef-DOCUMENT" || ids.has(r.relatedSpdxElement))) process.exit(1);
    if (!b.packages.every((p) => p.licenseDeclared && p.downloadLocation && p.versionInfo !== "(devel)")) process.exit(1);'
}

# The recipes for other repositories. Arch's is run as far as possible on other systems; Nix's exists only if nix-hash
# does.
of_recipes() {
  local recipes=$place/recipes at=$place/arch
  mkdir -p "$recipes" "$at/src"
  tar -xzf "dist/ctx-lsp-$version-recipes.tar.gz" -C "$recipes"
  check "each recipe names archives of dist/, with their checksums" node mk/recipes.mjs "$recipes" "$version" dist/SHA256SUMS
  tar -xzf "dist/ctx-lsp-$version-linux-$(goarch).tar.gz" -C "$at/src"
  check "Arch's build file packs what is in the archive" bash -euc "pkgdir='$at/pkg'; . '$recipes/aur/ctx-lsp-bin.pkgbuild'; cd '$at/src'; package"
  check "packed, it works" works "$at/pkg/usr/bin/ctx-lsp"
  check "ctx-lsp-fleet is packed" "$at/pkg/usr/bin/ctx-lsp-fleet" version
  if [ -d "$recipes/nix" ] && command -v nix-instantiate >/dev/null; then
    check "Nix reads its recipe" sh -c "find '$recipes/nix' -name '*.nix' -exec nix-instantiate --parse {} +"
  fi
}

of_archive() {
  local name
  for name in dist/ctx-lsp-"$version"-{linux,darwin,windows}-{amd64,arm64}.*; do
    case $name in
    *.tar.gz) check "$(basename "$name") holds program, page, completions and terms" holds "$(tar -tzf "$name")" ;;
    *.zip) check "$(basename "$name") holds program, page, completions and terms" holds "$(unzip -Z1 "$name")" ;;
    esac
  done
  mkdir -p "$place/archive"
  check "unpacking for this machine" tar -xzf "dist/ctx-lsp-$version-linux-$(goarch).tar.gz" -C "$place/archive"
  local program
  program=$place/archive/ctx-lsp
  check "unpacked, it works" works "$program"
  check "it finds ctx-lsp-fleet next to it, and writes Parquet" fresh "$program" export --key=test --out="$place/table" testdata/sessions/claude-code
  echo "      the program has $(wc -c <"$program") bytes, and its archive $(wc -c <"dist/ctx-lsp-$version-linux-$(goarch).tar.gz")"
}
holds() {
  for part in 'ctx-lsp(.exe)?' 'ctx-lsp-fleet(.exe)?' LICENSE README.md THIRD_PARTY_NOTICES.txt man/ctx-lsp.1.gz completions/ctx-lsp.bash completions/_ctx-lsp \
    completions/ctx-lsp.fish completions/ctx-lsp.ps1; do
    grep -qxE "$part" <<<"$1" || { echo "$part is missing: $1"; return 1; }
  done
}
goarch() { go env GOHOSTARCH; }

of_deb() {
  local deb
  deb=dist/ctx-lsp-$version-linux-$(goarch).deb
  mkdir -p "$place/deb/var/lib/dpkg/info" "$place/deb/var/lib/dpkg/updates"
  : >"$place/deb/var/lib/dpkg/status"
  # Its own root, so that this machine's packages stay unchanged.
  check "dpkg installs it" fresh dpkg --root="$place/deb" --force-not-root --force-bad-path --log=/dev/null -i "$deb"
  check "installed, it works" works "$place/deb/usr/bin/ctx-lsp"
  check "ctx-lsp-fleet is installed" "$place/deb/usr/bin/ctx-lsp-fleet" version
  check "its manual page is there, and read" sh -c "gzip -dc '$place/deb/usr/share/man/man1/ctx-lsp.1.gz' | grep -q '^.TH.*$version'"
  check "bash completes its commands" bash -c "set +u; . '$place/deb/usr/share/bash-completion/completions/ctx-lsp'; complete -p ctx-lsp"
  check "dpkg knows which files are its own" sh -c "dpkg --root='$place/deb' -L ctx-lsp | grep -q /usr/share/zsh/vendor-completions/_ctx-lsp"
  check "dpkg removes all of it" sh -c "dpkg --root='$place/deb' --force-not-root --force-bad-path --log=/dev/null -r ctx-lsp && ! test -e '$place/deb/usr/bin/ctx-lsp'"
}

of_rpm() {
  local rpm base=$place/rpm
  rpm=dist/ctx-lsp-$version-linux-$(goarch).rpm
  command -v rpm >/dev/null || mk/apt.sh install rpm || { failed=$((failed + 1)); return; }
  mkdir -p "$base"
  # Its own root here too, with an empty database of packages.
  check "rpm lists what is in it" sh -c "rpm -qpl '$rpm' | grep -qx /usr/share/man/man1/ctx-lsp.1.gz"
  check "rpm installs it" fresh sh -c "rpm --root '$base' --initdb && rpm --root '$base' --nosignature -i '$rpm'"
  check "installed, it works" works "$base/usr/bin/ctx-lsp"
  check "ctx-lsp-fleet is installed" "$base/usr/bin/ctx-lsp-fleet" version
  check "rpm finds every file as it was packed" fresh rpm --root "$base" -V ctx-lsp
  check "rpm removes all of it" fresh sh -c "rpm --root '$base' -e ctx-lsp && ! test -e '$base/usr/bin/ctx-lsp'"
}

# Debian has no apk. Such a package consists of a few concatenated archives, and contains the hash of the last one.
of_apk() {
  local apk base=$place/apk
  apk=dist/ctx-lsp-$version-linux-$(goarch).apk
  mkdir -p "$base"
  check "the apk is unpacked" tar --ignore-zeros -xzf "$apk" -C "$base"
  check "unpacked, it works" works "$base/usr/bin/ctx-lsp"
  check "ctx-lsp-fleet is unpacked" "$base/usr/bin/ctx-lsp-fleet" version
  # shellcheck disable=SC2016
  check "it says its version, and the hash of what it holds" node -e '
    const bytes = require("node:fs").readFileSync(process.argv[1]);
    const info = require("node:fs").readFileSync(process.argv[2], "utf8");
    const field = (name) => new RegExp(`^${name} = (.*)$`, "m").exec(info)[1];
    if (field("pkgver") !== process.argv[3] || field("pkgname") !== "ctx-lsp") process.exit(1);
    const start = Buffer.from([0x1f, 0x8b, 0x08]);
    for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
      const hash = require("node:crypto").createHash("sha256").update(bytes.subarray(at)).digest("hex");
      if (hash === field("datahash")) process.exit(0);
    }
    process.exit(1);' "$apk" "$base/.PKGINFO" "$version"
}

# A registry with only the contents of dist/, for npm's own commands.
registry() {
  node mk/registry.mjs dist >"$place/registry.log" 2>&1 &
  started+=($!)
  for _ in $(seq 100); do
    address=$(sed -n 's/^listening at //p' "$place/registry.log")
    [ -n "$address" ] && return 0
    sleep 0.1
  done
  cat "$place/registry.log"
  return 1
}
npm_fresh() { fresh env npm_config_registry="$address" npm_config_cache="$place/npm-cache" npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false "$@"; }

by_npx() (cd "$place/npx" && npm_fresh "$@" | grep -q "^ctx-lsp $version ")

of_npm() {
  registry || { failed=$((failed + 1)); return; }
  local global=$place/global
  check "npm install --global" npm_fresh npm install --global --prefix "$global" ctx-lsp
  check "installed, it works" works "$global/bin/ctx-lsp"
  check "it is the program itself, and no script before it" sh -c "head -c 4 \"\$(readlink -f '$global/bin/ctx-lsp')\" | grep -q ELF"
  check "without install scripts, too" npm_fresh npm install --global --ignore-scripts --prefix "$place/scriptless" ctx-lsp
  check "then a script finds it, and it works" works "$place/scriptless/bin/ctx-lsp"
  check "the script ends as the program does" sh -c "'$place/scriptless/bin/ctx-lsp' nonsense; test \$? = 2"
  check "without optional packages npm is asked for the one" npm_fresh npm install --global --omit=optional --prefix "$place/omitted" ctx-lsp
  check "and it works" works "$place/omitted/bin/ctx-lsp"
  mkdir -p "$place/npx"
  check "npx" by_npx npx --yes ctx-lsp version
  check "npm exec, of the version asked for" by_npx npm exec --yes "ctx-lsp@$version" -- version
  check "where its package is missing it says what to do" sh -c "rm -r '$place/scriptless/lib/node_modules/ctx-lsp/node_modules/@ctx-lsp' && ! '$place/scriptless/bin/ctx-lsp' version 2>'$place/output' && grep -q 'without --omit=optional' '$place/output'"
  mkdir -p "$place/core" && echo '{ "type": "module" }' >"$place/core/package.json"
  check "npm install @ctx-lsp/core" npm_fresh npm install --prefix "$place/core" @ctx-lsp/core
  awk '/^```/ { n++; next } n == 1' "$place/core/node_modules/@ctx-lsp/core/README.md" >"$place/core/first.mjs"
  check "the first lines of its README run" sh -c "cd '$place/core' && node first.mjs | grep -q 'tokens: 4'"
}

# Wheels, each installed into an empty place by an installer from PyPI that downloads nothing else.
of_python() {
  local tools=${PYTHON_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/ctx-lsp/python}/tests/bin wheel name
  bash mk/python.sh "${tools%/bin}" python/tests/requirements.txt || { failed=$((failed + 1)); return; }
  check "PyPI will take the wheels and the sdist" fresh "$tools/twine" check --strict dist/ctx_lsp-"$version"{-*.whl,.tar.gz}
  check "the wheels are whole" fresh "$tools/check-wheel-contents" dist/ctx_lsp-"$version"-*.whl
  for name in dist/ctx_lsp-"$version"-*.whl; do
    check "$(basename "$name") has $(($(wc -c <"$name") / 1000)) KB, at most 18 MB" test "$(wc -c <"$name")" -le 18000000
  done
  wheel=$(echo dist/ctx_lsp-"$version"-*musllinux*"$(uname -m)".whl)
  check "python -m venv" fresh "$tools/python" -m venv --without-pip "$place/venv"
  check "pip install" fresh "$tools/python" -m pip --python "$place/venv/bin/python" install --no-index --quiet "$wheel"
  check "installed, it works" works "$place/venv/bin/ctx-lsp"
  check "it is the program itself, and no script before it" sh -c "head -c 4 '$place/venv/bin/ctx-lsp' | grep -q ELF"
  check "import ctx_lsp" fresh "$place/venv/bin/python" examples/client.py
  check "uv tool run" works "$tools/uv" tool run --offline --from "$wheel" ctx-lsp
  check "pipx install" fresh env PIPX_DEFAULT_PYTHON="$tools/python" "$tools/pipx" install --pip-args=--no-index "$wheel"
  check "and it works" works "$place/home/.local/bin/ctx-lsp"
}

of_vsix() {
  local cache=${CTX_TEST_CACHE:-$HOME/.cache/ctx-lsp-test} server target
  server=$cache/code-server-$(sed -n "s/^const codeServerVersion = '\(.*\)';/\1/p" extensions/vscode/test/install.mjs)/node_modules/code-server/out/node/entry.js
  target=linux-$(goarch | sed 's/amd64/x64/')
  for name in "$target" universal web; do
    check "VS Code's package $name is of this version, and has its notices" sh -c "unzip -p 'dist/ctx-lsp-$version-$name.vsix' extension/package.json | grep -q '\"version\": *\"$version\"' && unzip -Z1 'dist/ctx-lsp-$version-$name.vsix' | grep -q THIRD_PARTY_NOTICES.txt"
  done
  mkdir -p "$place/vsix"
  unzip -q "dist/ctx-lsp-$version-$target.vsix" -d "$place/vsix"
  check "the daemon in it works" works "$place/vsix/extension/server/ctx-lsp"
  if ! [ -f "$server" ]; then
    node extensions/vscode/test/install.mjs codeServer || { failed=$((failed + 1)); return; }
  fi
  check "code-server installs it" fresh node "$server" --user-data-dir "$place/code" --extensions-dir "$place/extensions" --install-extension "dist/ctx-lsp-$version-$target.vsix"
  check "and lists it" sh -c "'$(command -v node)' '$server' --user-data-dir '$place/code' --extensions-dir '$place/extensions' --list-extensions --show-versions | grep -qi 'ctx-lsp.ctx-lsp@$version'"
}

of_browsers() {
  for browser in chromium firefox; do
    check "$browser loads the zip" node extensions/browser/test/zips.mjs "$browser" "dist/ctx-lsp-$browser-$version.zip" "$version"
  done
}

# with_go runs a program that builds with Go, like a user with Go installed; it uses the existing caches.
with_go() {
  fresh env GOCACHE="$(go env GOCACHE)" GOMODCACHE="$(go env GOMODCACHE)" GOPROXY="file://$place/proxy,$(go env GOPROXY)" \
    GONOSUMDB=github.com/ctx-lsp GOFLAGS=-modcacherw GOTOOLCHAIN=local "$@"
}

# `go install` of a version, from a proxy with only the last commit as that version. Only this shows what a module may
# contain and what is embedded in the program. The version is unique to this commit, because Go caches the imports of a
# version.
of_go() {
  local name=github.com/ctx-lsp/ctx-lsp served nested=() of
  of=$version-g$(git rev-parse --short HEAD)
  served=$place/proxy/$name/@v
  mkdir -p "$served" "$place/go"
  while read -r file; do
    [ "$file" = go.mod ] || nested+=(":(exclude)$(dirname "$file")")
  done < <(git ls-files '*go.mod')
  git archive --format=zip --prefix="$name@v$of/" -o "$served/v$of.zip" HEAD -- . "${nested[@]}"
  git show HEAD:go.mod >"$served/v$of.mod"
  echo "{\"Version\":\"v$of\"}" >"$served/v$of.info"
  echo "v$of" >"$served/list"
  check "go install builds it" with_go env GOBIN="$place/go" go install "$name/cmd/ctx-lsp@latest"
  check "it is of this version" sh -c "'$place/go/ctx-lsp' version | grep -qF '$of'"
  check "natively it shows a session" sh -c "'$place/go/ctx-lsp' status --calls '$root/testdata/sessions/sample.jsonl' | grep -q '%'"
  # Nothing else uses that version.
  rm -rf "$(go env GOMODCACHE)/$name@v$of" "$(go env GOMODCACHE)/cache/download/$name"
}

# The pre-commit hook, which builds the last commit and runs it in a repository with a missing import.
of_precommit() {
  command -v pre-commit >/dev/null || mk/apt.sh install pre-commit || { failed=$((failed + 1)); return; }
  mkdir -p "$place/hooked"
  printf '# The shop\n\nRead @docs/gone.md first.\n' >"$place/hooked/CLAUDE.md"
  printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks: [{id: ctx-lsp-check}]\n' "$root" "$(git rev-parse HEAD)" >"$place/hooked/.pre-commit-config.yaml"
  check "pre-commit takes the list of hooks" fresh pre-commit validate-manifest .pre-commit-hooks.yaml
  check "and the hook built by it finds a missing import" finds_by_hook
}
finds_by_hook() {
  (cd "$place/hooked" && git init -q . && git add -A && with_go pre-commit run --all-files) >"$place/hooked.log" 2>&1
  grep -q '^CLAUDE.md:3:6: .*docs/gone.md' "$place/hooked.log" || { tail -n 20 "$place/hooked.log"; return 1; }
}

for part in "${@:-sums recipes archive deb rpm apk npm python vsix browsers go precommit}"; do
  for one in $part; do
    echo "== $one"
    "of_$one"
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
