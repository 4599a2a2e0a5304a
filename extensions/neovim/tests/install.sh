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
# prefix of their own; nothing of the system changes.
set -eu

dir=${1:?usage: install.sh DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

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

suite() { "$here/../../../mk/suite.sh" "$@"; }

# unpacked SUITE: the suite's Neovim with all its libraries, under DIR/SUITE.
unpacked() {
  suite unpack "$dir/.apt" "$1" neovim nvim "$dir/$1"
  VIMRUNTIME="$dir/$1/usr/share/nvim/runtime" "$dir/$1/bin/nvim" --version >/dev/null
}

# plugin NAME PACKAGE: an editor plugin of Debian sid, under DIR/plugins/NAME.
plugin() {
  target=$dir/plugins/$1
  [ -d "$target/lua" ] && return 0
  say "unpacking $2"
  rm -rf "$target" "$dir/.plugin"
  mkdir -p "$dir/.plugin" "$dir/plugins"
  [ -n "$(find "$dir/.apt/sid/lists" -maxdepth 1 -type f ! -name lock 2>/dev/null)" ] || suite apt "$dir/.apt" sid update >&2
  (cd "$dir/.plugin" && suite apt "$dir/.apt" sid download "$2" >&2)
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
