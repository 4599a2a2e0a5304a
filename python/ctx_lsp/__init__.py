# Copyright The ctx-lsp authors. MIT licence.

"""
Shows how full the context window of an agent is, what fills it, and when it is compacted.

    with ctx_lsp.Session(model="claude-sonnet-4-5", rule={"percent": 80}) as session:
        session.messages(messages)
        session.usage(response.usage)
        print(session.reading.display.number, session.reading.compaction.hint.text)
"""

from . import types
from .client import AsyncClient, Client, default_client
from .errors import CtxError, DaemonEnded, OtherVersion, ProgramMissing
from .objects import Object
from .program import find_program
from .session import AsyncSession, Session
from .types import Reading

__all__ = [
    "AsyncClient",
    "AsyncSession",
    "Client",
    "CtxError",
    "DaemonEnded",
    "Object",
    "OtherVersion",
    "ProgramMissing",
    "Reading",
    "Session",
    "default_client",
    "find_program",
    "types",
]
