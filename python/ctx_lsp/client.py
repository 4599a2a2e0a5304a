# Copyright The ctx-lsp authors. MIT licence.

"""Client runs the daemon for the sessions of a program, and starts another one if it has ended."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, cast

from .connection import Connection, encoded
from .journal import Call, Journal
from .methods import AsyncClientMethods, ClientMethods
from .objects import Object
from .program import find_program
from .types import NOTIFICATIONS

Notified = Callable[[str, Object], None]


def decoded(answers: Sequence[type[Object]], result: Any) -> Any:
    """Returns a result as the first class that fits it; None for an answer without a member."""
    members = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
    if not members or not answers:
        return None
    fitting = [answer for answer in answers if answer.fits(members)]
    return (fitting or answers)[0](members)


def _when_all_are_done(futures: Sequence[Future[Any]], finish: Callable[[], None]) -> None:
    """Calls finish once. Results may arrive in another order than that in which the calls are carried out."""
    left = len(futures)
    lock = threading.Lock()

    def done(_: Future[Any]) -> None:
        nonlocal left
        with lock:
            left -= 1
            last = left == 0
        if last:
            finish()

    for future in futures:
        future.add_done_callback(done)


class Client(ClientMethods):
    """
    Client has one daemon, which starts with the first call and ends with the client or with this process. It may be
    used from several threads. `notified` is called on another thread with each notification, such as ctx/reading.
    """

    def __init__(self, *arguments: str, program: str | None = None, notified: Notified | None = None) -> None:
        self._arguments = arguments
        self._program = program
        self._notified = notified
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._process = os.getpid()
        self._numbers = 0
        _clients.add(self)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the daemon. A later call starts another one."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None and self._process == os.getpid():
            connection.close()

    @property
    def pid(self) -> int | None:
        """Returns the process id of the daemon, or None if none is running."""
        connection = self._connection
        return connection.process.pid if connection is not None and connection.alive else None

    def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Calls a method of docs/protocol.md and returns its result as JSON. Sessions have their own methods."""
        return self.send(method, encoded(params or {})).result()

    def send(self, method: str, params: bytes) -> Future[Any]:
        """Sends a call that is not about a session of this client. The future has its result as JSON."""
        with self._lock:
            return self._connected().send(method, params)

    def send_of(self, journal: Journal, session: str, call: Call, *, changes: bool) -> Future[Any]:
        """
        Sends a call of a session, and the calls that bring the session to the daemon if the daemon does not have it.
        The future has the result of the call.
        """
        answer: Future[Any] = Future()
        answer.set_running_or_notify_cancel()
        with self._lock:
            connection = self._connected()
            before: list[Future[Any]] = []
            if journal.connection is not connection:
                before = [connection.send(method, params) for method, params in journal.begin()]
                journal.connection = connection
            if changes:
                journal.keep(call)
            sent = connection.send(*call)

        self._await(journal, session, call, changes, connection, [*before, sent], answer)
        return answer

    def _await(
        self,
        journal: Journal,
        session: str,
        call: Call,
        changes: bool,
        connection: Connection,
        sent: Sequence[Future[Any]],
        answer: Future[Any],
    ) -> None:
        """Completes the answer with the last of the futures, or with the first failure of them."""

        def finish() -> None:
            failure = next((error for f in sent if (error := f.exception()) is not None), None)
            with self._lock:
                if len(sent) > 1 and getattr(failure, "kind", "") == "bad_ledger":
                    again = journal.without_ledger()
                    if again and journal.connection is connection:
                        sending = [connection.send(*each) for each in [*again, call]]
                        self._await(journal, session, call, changes, connection, sending, answer)
                        return
                journal.answered(call)
                if failure is not None:
                    journal.forget(call)
                    if len(sent) > 1 and journal.connection is connection:
                        journal.connection = None  # it is begun again by the next call
                elif changes and journal.heavy and journal.connection is connection:
                    self._save(journal, session, connection)
            if failure is not None:
                answer.set_exception(failure)
            else:
                answer.set_result(sent[-1].result())

        _when_all_are_done(sent, finish)

    def new_id(self) -> str:
        """Returns an id for a session that has none."""
        with self._lock:
            self._numbers += 1
            return f"python-{self._numbers}"

    def _save(self, journal: Journal, session: str, connection: Connection) -> None:
        contained = journal.kept()

        def finish(saved: Future[Any]) -> None:
            if saved.exception() is None:
                with self._lock:
                    journal.replace(session, saved.result()["ledger"], contained)

        connection.send("ctx/session/save", encoded({"id": session})).add_done_callback(finish)

    def _connected(self) -> Connection:
        """Returns the connection to a daemon, which it starts if there is none. The caller holds the lock."""
        if self._process != os.getpid():  # after a fork, the daemon is the parent's
            self._connection, self._process = None, os.getpid()
        if self._connection is None or not self._connection.alive:
            command = [self._program or find_program(), "serve", *self._arguments]
            self._connection = Connection(command, self._heard if self._notified else None)
        return self._connection

    def _heard(self, method: str, params: Any) -> None:
        if self._notified is not None and isinstance(params, dict):
            self._notified(method, NOTIFICATIONS.get(method, Object)(cast("dict[str, Any]", params)))

    def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        return decoded(answers, self.call(method, params))

    def forked(self) -> None:
        """Makes the client usable in a child process, in which no other thread runs."""
        self._lock = threading.RLock()


class AsyncClient(AsyncClientMethods):
    """AsyncClient is a Client for asyncio. Both may share a daemon: `AsyncClient(client)`."""

    def __init__(self, client: Client | None = None, *, notified: Notified | None = None) -> None:
        self.client = client or Client(notified=notified)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the daemon. A later call starts another one."""
        await asyncio.to_thread(self.client.close)

    async def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Calls a method of docs/protocol.md and returns its result as JSON. Sessions have their own methods."""
        return await asyncio.wrap_future(self.client.send(method, encoded(params or {})))

    async def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        return decoded(answers, await self.call(method, params))


_clients: weakref.WeakSet[Client] = weakref.WeakSet()
_default: Client | None = None
_default_lock = threading.Lock()


def default_client() -> Client:
    """Returns the client of all sessions that name no other."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Client()
        return _default


@atexit.register
def _close() -> None:
    for client in list(_clients):
        client.close()


def _after_fork() -> None:
    global _default_lock
    _default_lock = threading.Lock()
    for client in list(_clients):
        client.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
