#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.
#
# Installs the editors and tools the tests need, from Debian's packages, and prints nothing when all is there.
#
# Usage: tests/install.sh DIR
#
#   DIR/0.7.2  DIR/trixie  DIR/sid   each with bin/nvim
#   DIR/plugins/mini.test  DIR/plugins/lualine
#
# Debian's stable release carries one Neovim only. The newer ones are unpacked, with everything they link to, into a
# prefix of their own, and their programs are told where their libraries are; nothing of the system changes.
set -eu

dir=${1:?usage: install.sh DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
arch=$(dpkg --print-architecture)

say() { echo "test-neovim: $*" >&2; }

apt() { "$here/../../../mk/apt.sh" "$@"; }

system_packages() {
  missing=
  for need in nvim:neovim tmux:tmux patchelf:patchelf; do
    command -v "${need%%:*}" >/dev/null 2>&1 || missing="$missing ${need#*:}"
  done
  [ -n "$missing" ] || return 0
  say "installing$missing"
  # shellcheck disable=SC2086 # a list of words
  apt install $missing
}

# mirror: where this machine gets its own Debian packages from; the other suites are beside them.
mirror() {
  targets() {
    # shellcheck disable=SC2016 # the variables are apt's
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
      sed -n 's|^Debian Debian ||p' | head -n 1
  }
  [ -n "$(targets)" ] || apt update
  found=$(targets)
  [ -n "$found" ] || { say "apt knows no mirror of Debian; the newer editors come from there"; exit 1; }
  echo "$found"
}

# suite_apt SUITE COMMAND...: apt-get for another suite, with a state of its own in which nothing is installed.
suite_apt() {
  suite=$1; shift
  state=$dir/.apt/$suite
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/etc/preferences.d"
  : >> "$state/status"
  [ -s "$state/sources.list" ] ||
    echo "deb [arch=$arch signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $suite main" > "$state/sources.list"
  apt-get -qq -o Acquire::Retries=3 -o Dir::State="$state" -o Dir::State::status="$state/status" \
    -o Dir::Cache="$state/cache" -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::Etc::preferencesparts="$state/etc/preferences.d" -o APT::Install-Recommends=false \
    -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o APT::Architecture="$arch" "$@"
}

# unpacked SUITE: the suite's Neovim with all its libraries, under DIR/SUITE.
unpacked() {
  suite=$1
  prefix=$dir/$suite
  [ -x "$prefix/bin/nvim" ] && "$prefix/bin/nvim" --version >/dev/null 2>&1 && return 0
  say "unpacking the Neovim of Debian $suite"
  rm -rf "$prefix" "$prefix.new"
  mkdir -p "$prefix.new"
  suite_apt "$suite" update >&2
  suite_apt "$suite" install -y --download-only neovim >&2
  for package in "$dir/.apt/$suite/cache/archives"/*.deb; do
    dpkg-deb -x "$package" "$prefix.new"
  done
  # Where /lib is not yet a link into /usr the closure has libraries in both.
  libraries=
  for library in "$prefix.new/usr/lib/$(uname -m)-linux-gnu" "$prefix.new/lib/$(uname -m)-linux-gnu"; do
    [ -d "$library" ] && libraries="$libraries:$library"
  done
  loader=$(find "$prefix.new" -name 'ld-linux-*.so.*' | head -n 1)
  program=$(readlink -f "$prefix.new/usr/bin/nvim" 2>/dev/null || true)
  [ -f "$program" ] || program=$prefix.new/usr/bin/nvim
  final() { echo "$1" | sed "s|$prefix.new|$prefix|g"; }
  patchelf --set-interpreter "$(final "$loader")" --set-rpath "$(final "${libraries#:}")" "$program"
  # Libraries look for their own neighbours in the same folder.
  find "$prefix.new" -name '*.so*' -type f ! -name 'ld-linux-*' ! -name 'libc.so*' | while read -r object; do
    patchelf --set-rpath "$(final "${libraries#:}")" "$object" 2>/dev/null || true
  done
  mkdir -p "$prefix.new/bin"
  ln -s "../${program#"$prefix.new/"}" "$prefix.new/bin/nvim"
  mv "$prefix.new" "$prefix"
  rm -rf "$dir/.apt/$suite/cache"
  VIMRUNTIME="$prefix/usr/share/nvim/runtime" "$prefix/bin/nvim" --version >/dev/null
}

# plugin NAME PACKAGE: an editor plugin of Debian sid, under DIR/plugins/NAME.
plugin() {
  target=$dir/plugins/$1
  [ -d "$target/lua" ] && return 0
  say "unpacking $2"
  rm -rf "$target" "$dir/.plugin"
  mkdir -p "$dir/.plugin" "$dir/plugins"
  [ -n "$(find "$dir/.apt/sid/lists" -maxdepth 1 -type f ! -name lock 2>/dev/null)" ] || suite_apt sid update >&2
  (cd "$dir/.plugin" && suite_apt sid download "$2" >&2)
  dpkg-deb -x "$dir/.plugin"/*.deb "$dir/.plugin/root"
  found=$(find "$dir/.plugin/root" -type d -name lua | head -n 1)
  cp -r "$(dirname "$found")" "$target"
  rm -rf "$dir/.plugin"
}

system_packages
mkdir -p "$dir/system/bin"
ln -sf "$(command -v nvim)" "$dir/system/bin/nvim"
unpacked trixie
unpacked sid
plugin mini.test neovim-mini.test
plugin lualine neovim-lualine
