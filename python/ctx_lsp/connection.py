# Copyright The ctx-lsp authors. MIT licence.

"""Connection runs a daemon, `ctx-lsp serve`, and exchanges messages with it."""

from __future__ import annotations

import collections
import io
import itertools
import json
import logging
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import IO, Any, cast

from .errors import CtxError, DaemonEnded, OtherVersion, ProgramMissing
from .objects import plain

log = logging.getLogger("ctx_lsp")

PROTOCOL = 3
"""The protocol that this package speaks. A daemon names its own when it is greeted."""


def encoded(value: Any) -> bytes:
    """Returns the JSON text of a value. Objects of SDKs are taken as they are."""
    text = json.dumps(value, default=plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")  # half of a surrogate pair has no UTF-8


class Connection:
    """
    Connection is one daemon. A thread writes to it and a thread reads from it, so that `send` never waits. The daemon
    ends when its standard input is closed or when this process has ended, whichever comes first.
    """

    def __init__(self, command: Sequence[str], notified: Callable[[str, Any], None] | None) -> None:
        self._notified = notified
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[str, Future[Any]]] = {}
        self._ended: str | None = None
        self._refused: str | None = None
        self.ended = threading.Event()
        self._errors: collections.deque[str] = collections.deque(maxlen=5)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        try:
            self.process = subprocess.Popen(
                [*command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,  # a buffer would be written a second time by a child process
                **_apart(),
            )
        except OSError as error:
            raise ProgramMissing(f"{command[0]} cannot be started: {error.strerror or error}") from error
        self._program = command[0]
        self._log = self._thread(self._keep_log)
        self._thread(self._write)
        self._thread(self._read)
        start: dict[str, Any] = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
        self.send("initialize", encoded(start)).add_done_callback(self._greeted)
        self._notify("initialized")

    @property
    def alive(self) -> bool:
        """Reports whether the daemon answers, as far as is known."""
        return self._ended is None

    def send(self, method: str, params: bytes) -> Future[Any]:
        """Sends a request. The future has the result, or a CtxError."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # a change that was sent is completed
        with self._lock:
            if self._ended is None:
                number = next(self._ids)
                self._waiting[number] = (method, future)
                head = b'{"jsonrpc":"2.0","id":%d,"method":"%s","params":' % (number, method.encode())
                self._outgoing.put(head + params + b"}")
                return future
        future.set_exception(self._lost(method))
        return future

    def close(self) -> None:
        """Ends the daemon."""
        self.send("shutdown", b"{}")
        self._notify("exit")
        self._outgoing.put(None)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _thread(self, run: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=run, name=f"ctx-lsp {run.__name__}", daemon=True)
        thread.start()
        return thread

    def _notify(self, method: str) -> None:
        self._outgoing.put(b'{"jsonrpc":"2.0","method":"%s","params":{}}' % method.encode())

    def _write(self) -> None:
        pipe = _pipe(self.process.stdin)
        try:
            while (body := self._outgoing.get()) is not None:
                left = memoryview(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                while left:
                    left = left[pipe.write(left) :]
        except (OSError, ValueError):
            pass  # the daemon ended; the reader reports it
        finally:
            try:
                pipe.close()
            except OSError:
                pass

    def _read(self) -> None:
        with io.BufferedReader(cast("io.RawIOBase", _pipe(self.process.stdout))) as pipe:
            try:
                while self._refused is None and (message := _message(pipe)) is not None:
                    self._take(message)
            except Exception:
                log.exception("the daemon's answer cannot be read")
                self.process.kill()
        self._end()

    def _take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is not None and "id" in message:
            refusal = {"code": -32601, "message": f"This client has no method {method}."}
            self._outgoing.put(encoded({"jsonrpc": "2.0", "id": message["id"], "error": refusal}))
        elif method is not None:
            if self._notified is not None:
                try:
                    self._notified(method, message.get("params"))
                except Exception:
                    log.exception("the callback for %s has failed", method)
        else:
            with self._lock:
                _, future = self._waiting.pop(message["id"])
            error = message.get("error")
            if error is None:
                future.set_result(message.get("result"))
            else:
                future.set_exception(CtxError(error["message"], error["code"], error.get("data")))

    def _greeted(self, answer: Future[Any]) -> None:
        """Refuses a daemon of another protocol. Its answers are not read: the same fields may mean something else."""
        if answer.exception() is None and (spoken := _protocol(answer.result())) != PROTOCOL:
            self._refused = (
                f"{self._program} speaks protocol {'1 or older' if spoken is None else spoken}, and this package "
                f"protocol {PROTOCOL}; update the older one."
            )
            self.process.kill()

    def _end(self) -> None:
        """Fails the calls that wait."""
        status = self.process.wait()
        self._log.join(5)
        self._outgoing.put(None)
        with self._lock:
            said = "\n".join(self._errors)
            self._ended = f"with exit code {status}" + (f": {said}" if said else "")
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for method, future in waiting:
            future.set_exception(self._lost(method))
        self.ended.set()

    def _lost(self, method: str) -> CtxError:
        if self._refused is not None:
            return OtherVersion(self._refused)
        return DaemonEnded(f"The daemon ended during {method}, {self._ended}. The next call starts another one.")

    def _keep_log(self) -> None:
        with _pipe(self.process.stderr) as pipe:
            for line in pipe:
                text = line.decode("utf-8", "replace").rstrip()
                self._errors.append(text)
                log.debug("%s", text)


def _apart() -> dict[str, Any]:
    """Returns how a process is started that Ctrl-C in a terminal does not end, because that is for its parent."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("the daemon was started without pipes")
    return pipe


def _protocol(greeting: Any) -> int | None:
    """Returns the protocol that a daemon names, or None if it names none."""
    for name in ("capabilities", "experimental", "ctx", "protocol"):
        greeting = cast("dict[str, Any]", greeting).get(name) if isinstance(greeting, dict) else None
    return greeting if isinstance(greeting, int) else None


def _message(pipe: IO[bytes]) -> dict[str, Any] | None:
    """Returns the next message, or None at the end."""
    length = None
    while line := pipe.readline():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
        if line.strip() == b"" and length is not None:
            body = pipe.read(length)
            if len(body) < length:
                return None
            message: dict[str, Any] = json.loads(body)
            return message
    return None
