#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs the Go tests and the commands as a program of Windows, under Wine from Debian's packages: mk/windows.sh
# [commands | PACKAGE...], by default all packages and all commands; with packages only their tests, with "commands"
# only those. The last line is "N passed, M failed, K skipped". docs/windows.md lists what Wine cannot test.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export CTX_WINE=$PWD/.cache/wine
mkdir -p "$CTX_WINE"
if ! [ -x /usr/lib/wine/wine64 ] || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
  sh mk/apt.sh install wine wine64 libwine gcc-mingw-w64-x86-64-win32 || exit
fi
end() { WINEPREFIX=$CTX_WINE/prefix "$(command -v wineserver || echo /usr/lib/wine/wineserver64)" -k 2>/dev/null; }
trap end EXIT
if ! [ -f "$CTX_WINE/ready" ]; then
  mk/wine.sh wineboot -i >"$CTX_WINE/boot.log" 2>&1
  x86_64-w64-mingw32-gcc -shared -O2 -s -o "$CTX_WINE/prefix/drive_c/windows/system32/bcryptprimitives.dll" mk/bcryptprimitives.c -ladvapi32 || exit
  touch "$CTX_WINE/ready"
fi
# Wine 8 does not support the call that Go uses to remove files since 1.24, and returns an unexpected error. Go also has
# the call of older versions of Windows, behind a switch for its own tests. An overlay enables it for these builds only.
deletion=$(go env GOROOT)/src/internal/syscall/windows/at_windows.go
sed 's/^var TestDeleteatFallback bool$/var TestDeleteatFallback = true/' "$deletion" >"$CTX_WINE/at_windows.go"
printf '{"Replace": {"%s": "%s"}}\n' "$deletion" "$CTX_WINE/at_windows.go" >"$CTX_WINE/overlay.json"
go build -C tools -o ../bin/gotally ./gotally || exit
windows() { GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go "$1" -overlay="$CTX_WINE/overlay.json" "${@:2}"; }

# Go itself does not run under Wine, so what tests would build there is built here.
export CTX_TEST_MODULES="Z:$CTX_WINE/modules" CTX_TEST_WASM="Z:$CTX_WINE/modules"
make --no-print-directory test-modules && cp bin/test-modules/*.wasm "$CTX_WINE/modules/" || exit
(cd fleet && windows build -o "$CTX_WINE/modules/ctx-lsp-fleet.exe" ./ctx-lsp-fleet) || exit

# Each package's tests are built once and then run in turn, because the compiler and Wine would only wait for each
# other. The limit of time is one package's.
mkdir -p "$CTX_WINE/tests"
run() {
  local package folder program
  while IFS=' ' read -r package folder; do
    program=$CTX_WINE/tests/$(tr / - <<<"${package#github.com/ctx-lsp/ctx-lsp/}").test.exe
    if ! windows test -c -o "$program" "$package" >&2; then
      printf '{"Action":"output","Package":"%s","Output":"its tests do not build\\n"}\n{"Action":"fail","Package":"%s"}\n' "$package" "$package"
      continue
    fi
    [ -f "$program" ] || continue # a package without tests has no program
    (cd "$folder" && go tool test2json -t -p "$package" timeout 1200 "$CTX_TOP/mk/wine.sh" "$program" \
      -test.v=test2json -test.paniconexit0 -test.timeout=19m </dev/null)
  done < <(GOOS=windows go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' "$@" | grep .)
}
CTX_TOP=$PWD
# events.json, next to the log, contains the time of each test.
passed=0 failed=0 skipped=0
if [ "${1:-}" != commands ]; then
  run "${@:-./...}" | tee "$CTX_WINE/events.json" | bin/gotally | tee "$CTX_WINE/tests.log"
  read -r passed failed skipped <<<"$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\?$/\1 \2 \4/p' "$CTX_WINE/tests.log" | tail -1)"
  [ -n "${passed:-}" ] || { passed=0 failed=1; }
  if [ $# -gt 0 ]; then
    echo "$passed passed, $failed failed, ${skipped:-0} skipped"
    exit "$((failed > 0))"
  fi
fi

windows build -trimpath -o "$CTX_WINE/ctx-lsp.exe" ./cmd/ctx-lsp || exit
home=$CTX_WINE/prefix/drive_c/users/$(id -un)
# ctx runs the program in the folder C:\shop of a user of Claude Code.
ctx() (cd "$CTX_WINE/prefix/drive_c/shop" && timeout 60 "$OLDPWD/mk/wine.sh" "$CTX_WINE/ctx-lsp.exe" "$@")
# check NAME PATTERN COMMAND... counts a command whose output must match the pattern.
check() {
  local name=$1 pattern=$2 output
  shift 2
  output=$("$@" 2>&1 | tr -d '\r')
  if grep -qE "$pattern" <<<"$output"; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name: no $pattern in"
    echo "$output" | head -n 20 | sed 's/^/      /'
  fi
}
rm -rf "$home/.claude" "$home/AppData/Local/ctx-lsp" "$home/AppData/Roaming/ctx-lsp"
mkdir -p "$home/.claude/projects/C--shop" "$CTX_WINE/prefix/drive_c/shop"
id=0197f1c2-0000-7000-8000-000000000001
log=$home/.claude/projects/C--shop/$id.jsonl
# A transcript like those of Claude Code on Windows: paths with backslashes, and lines that end with CR and LF.
{
  printf '{"parentUuid":null,"isSidechain":false,"userType":"external","type":"user","uuid":"u1","sessionId":"%s","cwd":"C:\\\\shop","version":"2.1.100","timestamp":"2026-11-22T10:00:00.000Z","message":{"role":"user","content":"Why does the build fail?"}}\r\n' $id
  printf '{"parentUuid":"u1","isSidechain":false,"userType":"external","type":"assistant","uuid":"a1","sessionId":"%s","cwd":"C:\\\\shop","version":"2.1.100","timestamp":"2026-11-22T10:00:05.000Z","requestId":"r1","message":{"id":"m1","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"A test fails."}],"stop_reason":"end_turn","usage":{"input_tokens":5,"cache_read_input_tokens":50000,"output_tokens":40}}}\r\n' $id
} >"$log"
check "version" '^ctx-lsp .*windows/amd64' ctx version
check "the vectors, natively" ' passed, 0 failed' ctx conformance --engine native
check "the vectors under wazero" ' passed, 0 failed' ctx conformance --engine wasm
check "sessions finds it by %USERPROFILE%, in its own folder" "$id|C:.shop" ctx sessions --here
check "status of this folder" '50[,.]?0|25 ?%' ctx status
check "status by a path with a drive letter" '25 ?%' ctx status "C:\\users\\$(id -un)\\.claude\\projects\\C--shop\\$id.jsonl"
check "status by a path with slashes" '25 ?%' ctx status "C:/users/$(id -un)/.claude/projects/C--shop/$id.jsonl"
check "status by a long path" '25 ?%' ctx status "\\\\?\\C:\\users\\$(id -un)\\.claude\\projects\\C--shop\\$id.jsonl"
check "a host that is not there is an error, and no crash" 'no|not|find' ctx status '\\\\nowhere.invalid\\share\\s.jsonl'
check "doctor" 'Claude Code|claude-code' ctx doctor
check "count of lines that end with CR and LF" '^ *[0-9]' sh -c "printf 'one\\r\\ntwo\\r\\n' | '$PWD/mk/wine.sh' '$CTX_WINE/ctx-lsp.exe' count --encoding=o200k -"
statusline() { printf '{"session_id":"%s","transcript_path":"C:\\\\users\\\\%s\\\\.claude\\\\projects\\\\C--shop\\\\%s.jsonl","cwd":"C:\\\\shop","workspace":{"current_dir":"C:\\\\shop","project_dir":"C:\\\\shop"},"model":{"id":"claude-opus-4-5"},"version":"2.1.100"}' $id "$(id -un)" $id; }
check "statusline" '[0-9]+ ?%' sh -c "$(declare -f statusline); id=$id; statusline | '$PWD/mk/wine.sh' '$CTX_WINE/ctx-lsp.exe' statusline --timeout=20s"
check "hook" '.' sh -c "$(declare -f statusline); id=$id; statusline | '$PWD/mk/wine.sh' '$CTX_WINE/ctx-lsp.exe' hook; echo ended with \$?"
# followed watches the session as JSON lines while its agent appends an answer.
followed() {
  (sleep 8; printf '{"parentUuid":"a1","isSidechain":false,"userType":"external","type":"assistant","uuid":"a2","sessionId":"%s","cwd":"C:\\\\shop","version":"2.1.100","timestamp":"2026-11-22T10:01:05.000Z","requestId":"r2","message":{"id":"m2","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"It passes."}],"stop_reason":"end_turn","usage":{"input_tokens":5,"cache_read_input_tokens":90000,"output_tokens":40}}}\r\n' $id >>"$log") &
  timeout 25 mk/wine.sh "$CTX_WINE/ctx-lsp.exe" top --json "C:\\users\\$(id -un)\\.claude\\projects\\C--shop\\$id.jsonl"
}
# served initializes the language server, and ends it like an editor.
served() {
  local message
  for message in '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file:///C:/shop","capabilities":{}}}' \
    '{"jsonrpc":"2.0","method":"initialized","params":{}}' '{"jsonrpc":"2.0","id":2,"method":"shutdown"}' '{"jsonrpc":"2.0","method":"exit"}'; do
    printf 'Content-Length: %d\r\n\r\n%s' "${#message}" "$message"
  done | timeout 60 mk/wine.sh "$CTX_WINE/ctx-lsp.exe" serve "$@"
}
check "watch follows what is appended" '90[,.]?0|45 ?%' followed
check "serve on standard input" '"serverInfo"' served --stdio
# shared connects two editors to one daemon, one after the other. At the end it prints how many daemons are waiting,
# unless an editor had its own. Under Wine the daemon keeps the standard error of its starter: a pipe would stay open
# until the daemon ends, and the second editor would find none.
shared() {
  local output
  output=$(for _ in 1 2; do served --shared --engine=native --idle-exit=60s || exit; done 2>"$CTX_WINE/shared.log") || return
  output+=$(cat "$CTX_WINE/shared.log")
  if [ "$(grep -c '"serverInfo"' <<<"$output")" = 2 ] && ! grep -q 'of its own' <<<"$output"; then
    grep -l pipe "$home"/AppData/Local/ctx-lsp/run/*.sock | wc -l | sed 's/$/ daemon for both/'
  else
    echo "$output"
  fi
}
check "two editors share a daemon, at a pipe whose name its user alone can read" '^1 daemon for both' shared
echo "$passed passed, $failed failed, ${skipped:-0} skipped"
[ "$failed" -eq 0 ]
