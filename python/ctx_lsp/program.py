# Copyright The ctx-lsp authors. MIT licence.

"""Program finds the program ctx-lsp."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from .errors import ProgramMissing


def find_program() -> str:
    """
    Returns the path of the program: the one that CTX_LSP names, the one that was installed together with this package,
    or the first one in PATH.
    """
    named = os.environ.get("CTX_LSP")
    if named:
        return named
    name = "ctx-lsp.exe" if sys.platform == "win32" else "ctx-lsp"
    for directory in _directories():
        if os.access(directory / name, os.X_OK):
            return str(directory / name)
    found = shutil.which("ctx-lsp")
    if found:
        return found
    raise ProgramMissing(
        "The program ctx-lsp was not found next to this package or in PATH. Install the package ctx-lsp for this "
        "platform, or set CTX_LSP to the path of the program."
    )


def _directories() -> Iterator[Path]:
    """Yields the directories into which pip installs programs for this package."""
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user")))
    # `pip install --target` and `--prefix` put them next to the packages.
    here = Path(__file__).resolve().parent.parent
    yield here / "bin"
    for above in list(here.parents)[:3]:
        yield above / ("Scripts" if sys.platform == "win32" else "bin")
