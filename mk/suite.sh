#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.
#
# suite.sh installs programs for tests from a Debian suite other than this machine's, because each release has only one
# version of a program. The system is not changed.
#
#   mk/suite.sh apt STATE SUITE COMMAND...                  apt-get for the suite, as if nothing were installed
#   mk/suite.sh unpack STATE SUITE PACKAGE PROGRAM TARGET   TARGET/bin/PROGRAM, with everything it links to
#
# STATE is a directory for apt's lists. A program is unpacked into its own prefix and gets the path of its libraries.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
arch=$(dpkg --print-architecture)

say() { echo "suite.sh: $*" >&2; }

# mirror: the source of this machine's own Debian packages, which has the other suites too.
mirror() {
  targets() {
    # shellcheck disable=SC2016 # the variables are apt's
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
      sed -n 's|^Debian Debian ||p' | head -n 1
  }
  [ -n "$(targets)" ] || "$here/apt.sh" update
  found=$(targets)
  [ -n "$found" ] || { say "apt knows no mirror of Debian; programs of other suites come from there"; exit 1; }
  echo "$found"
}

# suite_apt STATE SUITE COMMAND...
suite_apt() {
  mkdir -p "$1/$2"
  state=$(cd "$1/$2" && pwd)
  suite=$2
  shift 2
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/etc/preferences.d"
  : >> "$state/status"
  [ -s "$state/sources.list" ] ||
    echo "deb [arch=$arch signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $suite main" > "$state/sources.list"
  apt-get -qq -c="$here/apt.conf" -o Acquire::Retries=3 -o Dir::State="$state" -o Dir::State::status="$state/status" \
    -o Dir::Cache="$state/cache" -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::Etc::preferencesparts="$state/etc/preferences.d" -o APT::Install-Recommends=false \
    -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o APT::Architecture="$arch" "$@"
}

# unpack STATE SUITE PACKAGE PROGRAM TARGET
unpack() {
  package=$3 name=$4 prefix=$5
  [ -x "$prefix/bin/$name" ] && "$prefix/bin/$name" --version >/dev/null 2>&1 && return 0
  say "unpacking $package of Debian $2"
  command -v patchelf >/dev/null 2>&1 || "$here/apt.sh" install patchelf
  rm -rf "$prefix" "$prefix.new" "$1/$2/cache"
  mkdir -p "$prefix.new"
  prefix=$(cd "$prefix.new" && pwd)
  prefix=${prefix%.new}
  suite_apt "$1" "$2" update >&2
  suite_apt "$1" "$2" install -y --download-only "$package" >&2
  for deb in "$1/$2/cache/archives"/*.deb; do
    dpkg-deb -x "$deb" "$prefix.new"
  done
  # If /lib is not a link into /usr, the closure has libraries in both.
  libraries=
  for library in "$prefix.new/usr/lib/$(uname -m)-linux-gnu" "$prefix.new/lib/$(uname -m)-linux-gnu"; do
    [ -d "$library" ] && libraries="$libraries:$library"
  done
  loader=$(find "$prefix.new" -name 'ld-linux-*.so.*' | head -n 1)
  # A program in /usr/bin may be a link to one next to its data.
  program=$prefix.new/usr/bin/$name
  if [ -L "$program" ]; then
    target=$(readlink "$program")
    case $target in /*) program=$prefix.new$target ;; *) program=$prefix.new/usr/bin/$target ;; esac
  fi
  final() { echo "$1" | sed "s|$prefix.new|$prefix|g"; }
  patchelf --set-interpreter "$(final "$loader")" --set-rpath "$(final "${libraries#:}")" "$program"
  # Libraries search the same directory for their dependencies.
  find "$prefix.new" -name '*.so*' -type f ! -name 'ld-linux-*' ! -name 'libc.so*' | while read -r object; do
    patchelf --set-rpath "$(final "${libraries#:}")" "$object" 2>/dev/null || true
  done
  mkdir -p "$prefix.new/bin"
  ln -s "../${program#"$prefix.new/"}" "$prefix.new/bin/$name"
  mv "$prefix.new" "$prefix"
  rm -rf "$1/$2/cache"
}

case ${1:-} in
apt)
  shift
  suite_apt "$@"
  ;;
unpack)
  shift
  unpack "$@"
  ;;
*)
  say "it takes apt or unpack, as it says in its beginning"
  exit 2
  ;;
esac
