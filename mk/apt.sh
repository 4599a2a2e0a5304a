#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.
#
# apt.sh is apt-get for the install scripts of the tests. It becomes root if necessary, never prompts, and waits
# while another program installs packages.
#
#   mk/apt.sh update
#   mk/apt.sh install PACKAGE...    updates the lists of packages first, if this script has not for an hour
#
# Calls in one clone run one at a time, and installed packages are not installed again. apt waits for the lock of dpkg
# (DPkg::Lock::Timeout), but not for those of its lists and its archives. So after an error about a lock the call is
# repeated for five minutes, and after any other error twice, because a mirror may be busy, too.
set -u

messages=$(mktemp)
trap 'rm -f "$messages"' EXIT

here=$(cd "$(dirname "$0")" && pwd)

apt_get() {
  set -- env DEBIAN_FRONTEND=noninteractive apt-get -qq -c="$here/apt.conf" -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

patient() {
  locked=0 failed=0
  until apt_get "$@" >"$messages" 2>&1; do
    if grep -qiE 'could not get lock|unable to (lock|acquire)' "$messages"; then
      locked=$((locked + 1))
    else
      failed=$((failed + 1))
    fi
    if [ "$locked" -ge 60 ] || [ "$failed" -ge 3 ]; then
      cat "$messages" >&2
      echo "mk/apt.sh: apt-get $* failed; its output is above" >&2
      return 1
    fi
    sleep 5
  done
}

state=$here/../.cache/apt
mkdir -p "$state"

update() {
  patient update && touch "$state/updated"
}

install() {
  missing=
  for package in "$@"; do
    # shellcheck disable=SC2016 # the expansion is dpkg-query's
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086 # a list of words
  set -- install -y --no-install-recommends $missing
  if [ -n "$(find "$state/updated" -mmin -60 2>/dev/null)" ] && apt_get "$@" >"$messages" 2>&1; then
    return 0
  fi
  update && patient "$@"
}

exec 9>"$state/lock"
flock 9

case ${1:-} in
update) update ;;
install)
  shift
  install "$@"
  ;;
*)
  echo "mk/apt.sh: it takes update, or install and the names of packages, not \"$*\"" >&2
  exit 2
  ;;
esac
