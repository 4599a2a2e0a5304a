#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Runs test suites in two lanes and adds up their last lines "N passed, M failed".
#   mk/test.sh MAKE TARGET...
#
# First it builds what the suites share, while `make tools` installs what they need: TinyGo, the module, the program. If
# TinyGo is not available, the suites run on Go's module, and a line at the end gives the reason. Then one lane runs the
# suites that compute and the other one those in WAITING, which drive editors and browsers. A lane without suites of its
# own takes those of the other. A suite starts when its tools are installed: test-NAME needs tools-NAME if TOOLS has it.
#
# The output of a suite is printed when it ends, and kept in bin/tests. These lines of it are collected for the end:
#   slow: SECONDS TARGET: NAME    one of the slowest cases of a suite
#   unsteady: NAME                a case that failed, and passed when the suite repeated it
# A suite that fails without a failed case, or that prints no count, is one failure. Suites are not repeated.
set -u
make=$1
shift
targets=("$@")
read -ra waiting <<<"${WAITING:-}"
state=bin/tests
rm -rf "$state"
mkdir -p "$state/ready" "$state/taken" "$state/result"

clock() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }

# exclusively COMMAND...: one lane prints at a time.
exclusively() {
  until mkdir "$state/printing" 2>/dev/null; do sleep 0.1; done
  "$@"
  rmdir "$state/printing"
}

progress() { exclusively echo "-- $(clock) $*"; }

stop() {
  trap - INT TERM EXIT
  for group in "${groups[@]}"; do kill -TERM -- "-$group" 2>/dev/null; done
  [ -z "$installs" ] || kill "$installs" 2>/dev/null
}
groups=() installs=""
trap 'stop; exit 130' INT TERM
trap stop EXIT

report() {
  local target=$1 seconds=$2
  printf '\n== %s: %s, %d s\n' "$target" "$(sed 's/ / passed, /; s/$/ failed/' "$state/result/$target")" "$seconds"
  grep -avE '^(slow|unsteady): ' "$state/$target.log"
}

run() {
  local target=$1 log=$state/$1.log began=$SECONDS status line p=0 f=0
  progress "$target starts"
  # Everything that is shared is built, so no suite builds it while another one reads it.
  "$make" --no-print-directory -o bin -o wasm/js/ctx.wasm "$target" </dev/null >"$log" 2>&1
  status=$?
  line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
  if [ -n "$line" ]; then
    p=${line%% passed*}
    f=${line#* passed, }
    f=${f%%[!0-9]*}
  fi
  if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
    f=1
    echo "$target: exited with an error" >>"$log"
  elif [ $((p + f)) -eq 0 ]; then
    f=1
    echo "$target: ran no test" >>"$log"
  fi
  echo $((SECONDS - began)) >"$state/result/$target.seconds"
  echo "$p $f" >"$state/result/$target"
  exclusively report "$target" $((SECONDS - began))
}

ready() {
  local tools=tools-${1#test-}
  [[ " ${TOOLS:-} " != *" $tools "* ]] || [ -e "$state/ready/$tools" ] || [ -e "$state/ready/all" ]
}

# next TARGET...: takes the first suite that no lane has taken and whose tools are installed.
# It sets `taken`, or `left` if some suite is still without its tools.
next() {
  local target
  taken=""
  for target in "$@"; do
    [ ! -e "$state/taken/$target" ] || continue
    if ! ready "$target"; then
      left=yes
    elif mkdir "$state/taken/$target" 2>/dev/null; then
      taken=$target
      return
    fi
  done
}

lane() {
  local taken left
  while :; do
    left=""
    next "$@"
    if [ -n "$taken" ]; then
      run "$taken"
    elif [ -n "$left" ]; then
      sleep 1
    else
      return
    fi
  done
}

computing=() driving=()
for target in "${targets[@]}"; do
  [[ " ${waiting[*]} " == *" $target "* ]] || computing+=("$target")
done
for target in "${waiting[@]}"; do
  [[ " ${targets[*]} " != *" $target "* ]] || driving+=("$target")
done

# tinygo STEP...: runs mk/tinygo.sh, unless the caller named a TinyGo. It sets `without` if TinyGo is not available.
without=""
tinygo() {
  [ -z "${TINYGO+set}" ] && [ -z "$without" ] || return 0
  bash mk/tinygo.sh "$@" </dev/null >>"$state/tinygo.log" 2>&1 && return
  local status=$?
  if [ "$status" -eq 3 ]; then
    without=$(grep '^TinyGo ' "$state/tinygo.log" | tail -n 1)
    cat "$state/tinygo.log"
  else
    cat "$state/tinygo.log"
    echo "TinyGo could not be built, so no suite ran"
    echo "0 passed, 1 failed"
    exit 1
  fi
}

echo "-- $(clock) builds what the suites share (its output, and that of each suite, is in $state)"
tinygo packages # before other packages, which apt-get would install first
"$make" --no-print-directory -k -j8 READY="$state/ready" tools </dev/null >"$state/tools.log" 2>&1 &
installs=$!
tinygo
if ! "$make" --no-print-directory build "bin/gotally$(go env GOEXE)" </dev/null >"$state/build.log" 2>&1; then
  cat "$state/build.log"
  echo "the build failed, so no suite ran"
  echo "0 passed, 1 failed"
  exit 1
fi
echo "-- $(clock) built"

# In job control each lane is a group of processes, which stop can end as a whole. Computing gives way to editors.
set -m
(renice -n 10 -p "$BASHPID" >/dev/null 2>&1; lane "${computing[@]}" "${driving[@]}") &
groups+=($!)
lane "${driving[@]}" "${computing[@]}" &
groups+=($!)
set +m

wait "$installs"
installed=$?
installs=""
: >"$state/ready/all"
if [ "$installed" -ne 0 ]; then
  exclusively sed '1i\
\
== some tools could not be installed; the suites that need them will say more' "$state/tools.log"
else
  progress "all tools are installed"
fi
wait
groups=()

passed=0 failed=0
printf '\n'
for target in "${targets[@]}"; do
  read -r p f <"$state/result/$target" || { p=0 f=1; }
  passed=$((passed + p)) failed=$((failed + f))
  printf '%-20s %6d passed %4d failed %5d s\n' "$target" "$p" "$f" "$(cat "$state/result/$target.seconds")"
done
printf '%-45s %5d s\n' "altogether, with building and installing" "$SECONDS"

# collected PATTERN: the lines of all suites that start with it, without it.
collected() { for target in "${targets[@]}"; do sed -n "s/^$1: //p" "$state/$target.log"; done; }
slowest=$(collected slow | sort -rn | head -n 10)
[ -z "$slowest" ] || printf '\nThe slowest cases, in seconds:\n%s\n' "$slowest"
unsteady=$(collected unsteady)
[ -z "$unsteady" ] || printf '\nUnsteady, which failed once and then passed:\n%s\n' "$unsteady"
[ -z "$without" ] || printf '\n%s\n' "$without"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
