#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.

# Runs run.mjs where nothing but this machine can be reached: in a network of its own, which only has the loopback.
# Every process that an agent leaves running ends with it. The agents run as a user who is not root, because Claude
# Code refuses that one.
#
#   run.sh PROGRAM [FOLDER]
set -eu
[ "$(uname)" = Linux ] || { echo "lab-host: skipped, because it needs Linux"; exit 0; }
cd "$(dirname "$0")"
node=$(node -e 'import("../../../extensions/vscode/test/install.mjs").then((m) => console.log(m.newestProgram))')
exec unshare --net --pid --fork --kill-child --mount-proc --map-root-user sh -c '
	ip link set lo up
	exec unshare --map-user=1000 --map-group=1000 "$@"' sh "$node" run.mjs "$@"
