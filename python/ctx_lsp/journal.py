# Copyright The ctx-lsp authors. MIT licence.

"""
Journal is what a client keeps of a session so that the session outlives its daemon: its beginning and the calls since.
docs/protocol.md says under "When the engine is lost" what is kept and why.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .connection import Connection, encoded

_LIGHT = 16 * 1024
"""Calls of fewer bytes together are kept without requesting a ledger."""

Call = tuple[str, bytes]
"""A method with its parameters as JSON, because a caller may change its objects later."""


class Journal:
    """Journal belongs to one session. Its owner locks it."""

    def __init__(self, begin: Call, inherited: Mapping[str, Any]) -> None:
        self.connection: Connection | None = None
        self._first = begin
        self._begin = begin
        self._own = False  # whether the session begins with a ledger that this client has saved
        self._inherited = inherited
        self._ledger_weight = 0
        self._calls: list[Call] = []
        self._unanswered: set[int] = set()

    @property
    def heavy(self) -> bool:
        """Reports whether the calls are as long as the ledger: saved now, it costs no more than they did."""
        return sum(len(params) for _, params in self._calls) >= max(_LIGHT, self._ledger_weight)

    def begin(self) -> list[Call]:
        """
        Returns the calls that bring the session to a daemon that does not have it. Those that the daemon before it did
        not answer are dropped, because they raise.
        """
        self._calls = [call for call in self._calls if id(call) not in self._unanswered]
        self._unanswered.clear()
        return [self._begin, *self._calls]

    def without_ledger(self) -> list[Call]:
        """
        Returns the calls that bring the session to a daemon that refuses its ledger: its first beginning, and those of
        its calls that the ledger does not contain. Readings then say that a part of its past is unknown. The list is
        empty if the session does not begin with a ledger of this client.
        """
        method, params = self._first
        if not self._own or method != "ctx/session/open":
            return []
        begin: dict[str, Any] = json.loads(params)
        begin.pop("resume", None)
        self._begin, self._own, self._ledger_weight = (method, encoded({**begin, "setAside": True})), False, 0
        return [self._begin, *(call for call in self._calls if id(call) not in self._unanswered)]

    def keep(self, call: Call) -> None:
        """Adds a call that was sent, which must be forgotten if it is refused."""
        self._calls.append(call)
        self._unanswered.add(id(call))

    def answered(self, call: Call) -> None:
        """Marks a call as carried out."""
        self._unanswered.discard(id(call))

    def forget(self, *calls: Call) -> None:
        """Removes these calls: refused ones, which have changed nothing, or those that a ledger contains."""
        removed = {id(call) for call in calls}
        self._calls = [call for call in self._calls if id(call) not in removed]
        self._unanswered -= removed

    def kept(self) -> tuple[Call, ...]:
        """Returns the calls that no ledger contains yet."""
        return tuple(self._calls)

    def replace(self, session: str, ledger: Mapping[str, Any], contained: tuple[Call, ...]) -> None:
        """Lets the session begin with a ledger, which contains these calls."""
        params = encoded({**self._inherited, "id": session, "ledger": ledger})
        self._begin = ("ctx/session/restore", params)
        self._own = True
        self._ledger_weight = len(params)
        self.forget(*contained)
