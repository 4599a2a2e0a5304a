#!/bin/sh
# Copyright The ctx-lsp authors. MIT licence.

# Runs a command where nothing but this machine can be reached: in a network namespace that has loopback only. Every
# process that an agent leaves running ends with it. The agents run as a user who is not root. With LAB_AT, the folder
# LAB_ROOT is there, too.
set -eu
# shellcheck disable=SC2016 # the inner shell expands it
exec unshare --net --pid --fork --kill-child --mount-proc --map-root-user sh -c '
	ip link set lo up
	[ -z "${LAB_AT:-}" ] || mount --bind "$LAB_ROOT" "$LAB_AT"
	exec unshare --map-user=1000 --map-group=1000 "$@"' sh "$@"
