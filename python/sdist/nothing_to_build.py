# Copyright The ctx-lsp authors. MIT licence.

"""Prints what to do on a platform without a wheel. The program is written in Go and is not in this archive."""

from __future__ import annotations

import platform
import sys


def _refuse(*_: object, **__: object) -> str:
    sys.exit(
        f"ctx-lsp has no wheel for {platform.system()} on {platform.machine()}, or this installer does not know it.\n"
        "There are wheels for Linux, macOS 12 or later, and Windows, on x86-64 and arm64, for Python 3.10 or later:\n"
        "upgrade pip, or check that Python is a build for this processor. With Go, build the program itself:\n"
        "  go install github.com/ctx-lsp/ctx-lsp/cmd/ctx-lsp@latest"
    )


get_requires_for_build_wheel = get_requires_for_build_sdist = get_requires_for_build_editable = _refuse
build_wheel = build_sdist = build_editable = prepare_metadata_for_build_wheel = _refuse
