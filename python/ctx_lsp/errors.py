# Copyright The ctx-lsp authors. MIT licence.

"""Errors are what the daemon refused, and what kept it from answering."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class CtxError(Exception):
    """
    CtxError is a call that was refused, with the daemon's message. `data` has `kind`, which is one of the kinds of
    errors in docs/protocol.md, and, if they apply, `field`, `name` and `known`.
    """

    def __init__(self, message: str, code: int = -32603, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data: Mapping[str, Any] = data or {"kind": "internal"}

    @property
    def kind(self) -> str:
        """Returns the kind of the error."""
        return str(self.data.get("kind", ""))


class DaemonEnded(CtxError):
    """
    DaemonEnded is a call during which the daemon ended. The session is as it was before the call; the next call starts
    another daemon and restores the session there.
    """


class ProgramMissing(CtxError):
    """ProgramMissing is a call without a program ctx-lsp to run."""


class OtherVersion(CtxError):
    """OtherVersion is a call of a program that speaks another protocol than this package."""
