#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.
#
# Benchmarks token counting: installs what it needs, makes the texts, runs every tokenizer, prints the tables.
#   run.sh           everything
#   run.sh native    what does not run on Node
#   run.sh texts     no more than the texts
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${CTX_BENCH:-${XDG_CACHE_HOME:-$HOME/.cache}/ctx-lsp-bench}
handbook=$work/handbook/usr/share/doc/debian-handbook/html
mkdir -p "$work"
(cd "$here" && npm ci --silent)
if [ ! -d "$handbook" ]; then
  apt=$here/../../mk/apt.sh
  (cd "$work" && { apt-get download debian-handbook >/dev/null 2>&1 || { "$apt" update && apt-get -qq download debian-handbook; }; } &&
    dpkg -x debian-handbook_*.deb handbook)
fi
node "$here/corpus.mjs" "$handbook" "$(go env GOROOT)" "$(npm root -g 2>/dev/null)/npm" "$here/node_modules" "$work/texts"
[ "${1:-}" = texts ] && exit 0
(cd "$here" && go build -o "$work/bench" .)
python=$work/python/bin/python
bash "$here/../../mk/python.sh" "$work/python" "$here/../bench/requirements.txt"
for encoding in ${CTX_BENCH_ENCODINGS:-o200k_base cl100k_base}; do
  "$work/bench" -encoding "$encoding" "$work/texts" >"$work/$encoding.jsonl"
  "$python" "$here/peers.py" "$work/texts" --encoding "$encoding" >>"$work/$encoding.jsonl"
  [ "${1:-}" = native ] || node "$here/peers.mjs" "$work/texts" --encoding "$encoding" >>"$work/$encoding.jsonl"
  node "$here/table.mjs" <"$work/$encoding.jsonl"
done
if [ "${1:-}" != native ] && [ -n "${CTX_VOCABULARIES:-}" ] && "$python" -c 'import ctok' 2>/dev/null; then
  (cd "$here/../.." && go test ./internal/vocabulary -run '^$' -bench BenchmarkClaude -benchtime "${CTX_BENCH_TIME:-0.3s}") |
    "$python" "$here/claude.py"
else
  echo "Claude is skipped: CTX_VOCABULARIES names the recorded texts, and ctok needs Python 3.12 (PYTHON names another python3)"
fi
