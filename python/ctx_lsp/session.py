# Copyright The ctx-lsp authors. MIT licence.

"""Session is one conversation, of which a program sends the messages and the provider's usage."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from . import types
from .client import AsyncClient, Client, decoded, default_client
from .connection import encoded
from .errors import CtxError
from .journal import Journal
from .methods import AsyncSessionMethods, SessionMethods

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack

_CHANGING = frozenset(
    f"ctx/session/{name}" for name in ("update", "messages", "usage", "error", "compacted", "records")
)


def _now() -> int:
    return int(time.time() * 1000)


class _Conversation:
    """_Conversation is what Session and AsyncSession share: the session's id, its journal and its last Reading."""

    def __init__(self, client: Client, ledger: Any, params: Mapping[str, Any]) -> None:
        begin: dict[str, Any] = {**params}
        self.id: str = begin.setdefault("id", client.new_id())
        self.client = client
        self.reading: types.Reading | None = None
        self.closed = False
        if ledger is not None:
            begin["ledger"] = ledger
        elif not begin.get("resume"):
            begin.setdefault("key", secrets.token_hex(16))  # so that a ledger has the digests of messages
        if ledger is None:
            begin.setdefault("at", _now())
        self.resumed = ledger is None and bool(begin.get("resume"))
        inherited: dict[str, Any] = {name: begin[name] for name in ("parent", "key", "shared") if name in begin}
        method = "ctx/session/open" if ledger is None else "ctx/session/restore"
        self.journal = Journal((method, encoded(begin)), inherited)

    def send(self, method: str, params: Mapping[str, Any]) -> Future[Any]:
        if self.closed:
            raise CtxError(f"The session {self.id} is closed.", 1001, {"kind": "unknown_session", "name": self.id})
        changes = method in _CHANGING
        # With its time a call means the same if it is repeated later.
        timed = {"at": _now(), **params} if changes else params
        call = (method, encoded({**timed, "id": self.id}))
        return self.client.send_of(self.journal, self.id, call, changes=changes)

    def begin(self) -> Future[Any]:
        # A session that continues from a saved ledger would find a later one the next time.
        return self.send("ctx/session/save" if self.resumed else "ctx/session/reading", {})

    def begun(self, result: Any) -> None:
        if self.resumed:
            self.resumed = False
            self.journal.replace(self.id, result["ledger"], ())
        else:
            self.reading = types.Reading(result)

    def keep(self, answer: Any) -> Any:
        if isinstance(answer, types.Reading):
            self.reading = answer
        elif isinstance(answer, types.RecordsAnswer) and answer.reading is not None:
            self.reading = answer.reading
        return answer

    def current(self) -> types.Reading:
        if self.reading is None:
            raise CtxError(
                f"The session {self.id} is not open yet.", 1001, {"kind": "unknown_session", "name": self.id}
            )
        return self.reading

    def end(self) -> Future[Any] | None:
        """Closes the session if the daemon has it."""
        if self.closed or self.journal.connection is None or not self.journal.connection.alive:
            self.closed = True
            return None
        sent = self.send("ctx/session/close", {})
        self.closed = True
        return sent


class Session(SessionMethods):
    """
    Session is one conversation. Its keywords are the parameters of ctx/session/open:

        with ctx_lsp.Session(model="claude-sonnet-4-5") as session:
            session.messages(messages)      # before each request
            session.usage(response.usage)   # after it
            print(session.reading.percent)

    Messages and usage may be objects of SDKs. If the daemon ends during a call, that call raises DaemonEnded and the
    next one restores the session. A mistake raises CtxError with the daemon's message.
    """

    def __init__(
        self, *, client: Client | None = None, ledger: Any = None, **options: Unpack[types.OpenOptions]
    ) -> None:
        self._conversation = _Conversation(client or default_client(), ledger, options)
        self._conversation.begun(self._conversation.begin().result())
        if self._conversation.reading is None:
            self.read()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def id(self) -> str:
        """Returns the session's id, which a Reading calls `session`."""
        return self._conversation.id

    @property
    def reading(self) -> types.Reading:
        """Returns the Reading that the last call returned."""
        return self._conversation.current()

    def append(self, *items: types.Appendix) -> types.Reading:
        """Adds items or messages to the end of the conversation."""
        return self.update(append=items)

    def close(self) -> None:
        """Closes the session."""
        sent = self._conversation.end()
        if sent is not None:
            sent.exception()  # a daemon that has ended has no session left to close

    def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        return self._conversation.keep(decoded(answers, self._conversation.send(method, params).result()))


class AsyncSession(AsyncSessionMethods):
    """
    AsyncSession is a Session for asyncio. It opens with `async with`, or with its first call:

        async with ctx_lsp.AsyncSession(model="claude-sonnet-4-5") as session:
            await session.messages(messages)
            await session.usage(response.usage)
            print(session.reading.percent)
    """

    def __init__(
        self, *, client: AsyncClient | Client | None = None, ledger: Any = None, **options: Unpack[types.OpenOptions]
    ) -> None:
        of = client.client if isinstance(client, AsyncClient) else client
        self._conversation = _Conversation(of or default_client(), ledger, options)

    async def __aenter__(self) -> AsyncSession:
        await self._begin()
        await self.read()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def id(self) -> str:
        """Returns the session's id, which a Reading calls `session`."""
        return self._conversation.id

    @property
    def reading(self) -> types.Reading:
        """Returns the Reading that the last call returned."""
        return self._conversation.current()

    async def append(self, *items: types.Appendix) -> types.Reading:
        """Adds items or messages to the end of the conversation."""
        return await self.update(append=items)

    async def close(self) -> None:
        """Closes the session."""
        sent = self._conversation.end()
        if sent is not None:
            await asyncio.wait([asyncio.ensure_future(_settled(sent))])

    async def _begin(self) -> None:
        if self._conversation.resumed:
            self._conversation.begun(await asyncio.wrap_future(self._conversation.begin()))

    async def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        await self._begin()
        result = await asyncio.wrap_future(self._conversation.send(method, params))
        return self._conversation.keep(decoded(answers, result))


async def _settled(sent: Future[Any]) -> None:
    """Waits for a call whose failure does not matter."""
    try:
        await asyncio.wrap_future(sent)
    except CtxError:
        pass
