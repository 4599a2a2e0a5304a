# Copyright The ctx-lsp authors. MIT licence.

"""Tests of the client against the real daemon, which CTX_LSP names."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from typing import Any, cast

import ctx_lsp
from ctx_lsp.connection import Connection, encoded
from ctx_lsp.journal import Journal
from ctx_lsp.objects import plain

ROOT = pathlib.Path(__file__).resolve().parents[2]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def usage(tokens: int) -> dict[str, int]:
    return {"input_tokens": tokens, "output_tokens": 400}


def state(reading: ctx_lsp.Reading) -> dict[str, Any]:
    return reading.as_dict()


def kill(client: ctx_lsp.Client) -> None:
    """Kills the daemon and waits until the client knows it."""
    connection = client._connection  # pyright: ignore[reportPrivateUsage]
    assert connection is not None
    connection.process.kill()
    connection.ended.wait(60)


class Stopped:
    """Stopped is a daemon that does not answer, so that a call is certainly in the middle when it is killed."""

    def __init__(self, client: ctx_lsp.Client) -> None:
        connection = client._connection  # pyright: ignore[reportPrivateUsage]
        assert connection is not None
        self.connection = connection
        os.kill(connection.process.pid, signal.SIGSTOP)

    def kill(self) -> None:
        self.connection.process.kill()

    def kill_during_a_call(self) -> None:
        waiting = self.connection._waiting  # pyright: ignore[reportPrivateUsage]
        while not waiting:
            threading.Event().wait(0.005)
        self.kill()


class Test(unittest.TestCase):
    def setUp(self) -> None:
        self.client = ctx_lsp.Client("--engine=native", "--state=none")
        self.addCleanup(self.client.close)

    def session(self, **options: Any) -> ctx_lsp.Session:
        given: dict[str, Any] = {
            "client": self.client,
            "model": "claude-sonnet-4-5",
            "rule": {"percent": 80},
            **options,
        }
        return ctx_lsp.Session(**given)


class TestReadings(Test):
    def test_the_example_of_the_documents(self) -> None:
        with self.session() as session:
            for tokens in (129_500, 132_000, 137_000, 141_000):
                session.append({"kind": "user", "text": "Why does the build fail?"})
                session.usage(usage(tokens))
            shown = session.reading.display
            line = f"{shown.number} · {shown.free} free · compacts at {shown.threshold} · {session.reading.compaction.hint.text}"
            self.assertEqual(line, "71% · 58.6k free · compacts at 160k · compacts in ~5 requests")

    def test_messages_and_usage(self) -> None:
        with self.session() as session:
            messages = [user("Why does the build fail?")]
            before = session.messages(messages)
            self.assertEqual(before.basis, "estimated")
            session.usage(usage(50_000))
            assert session.reading.lastRequest is not None
            self.assertEqual(session.reading.lastRequest.in_, 50_000)
            self.assertIs(type(session.reading.compaction), ctx_lsp.types.Compaction)
            self.assertIs(type(session.reading.breakdown[0]), ctx_lsp.types.Row)
            self.assertGreater(session.reading.percent or 0, 25)

    def test_a_second_session_has_another_id(self) -> None:
        with self.session() as one, self.session() as two:
            self.assertNotEqual(one.id, two.id)
            one.usage(usage(1000))
            self.assertEqual(two.read().used, 0)

    def test_a_session_is_restored_from_a_ledger(self) -> None:
        with self.session() as session:
            session.usage(usage(70_000))
            ledger = session.save().ledger
            used = session.reading.used
        with ctx_lsp.Session(client=self.client, ledger=ledger) as again:
            self.assertEqual(again.reading.used, used)

    def test_calls_without_a_session(self) -> None:
        counted = self.client.count(texts=["Hello, world!", ""], encoding="o200k_base")
        assert isinstance(counted, ctx_lsp.types.CountAnswer)
        self.assertEqual(counted.texts, [4, 0])
        self.assertTrue(self.client.models(query="opus").models)
        with self.session() as session:
            lines = self.client.lines({"bar": "{number}"}, reading=session.reading)
            self.assertEqual(lines.lines, {"bar": session.reading.display.number})

    def test_an_absent_member_is_none_and_an_unknown_one_an_error(self) -> None:
        with self.session() as session:
            self.assertIsNone(session.reading.host)
            with self.assertRaises(AttributeError):
                getattr(session.reading, "percents")  # noqa: B009


OTHER = """#!{python}
import sys
body = '{{"jsonrpc":"2.0","id":1,"result":{{"capabilities":{{"experimental":{{"ctx":{{{spoken}}}}}}}}}}}'
wrong = '{{"jsonrpc":"2.0","id":2,"result":{reading}}}'
sys.stdin.read(1)
for text in body, wrong:
    sys.stdout.write(f"Content-Length: {{len(text)}}\\r\\n\\r\\n{{text}}")
sys.stdout.flush()
sys.stdin.read()
"""
"""OTHER is a program of another version, which sends a Reading whose fields mean something else."""


class TestMistakes(Test):
    def test_the_message_is_that_of_the_daemon(self) -> None:
        with self.session() as session:
            before = state(session.reading)
            with self.assertRaisesRegex(ctx_lsp.CtxError, 'no parameter "limit"; known are') as raised:
                session.update(limit=5)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
            self.assertEqual(raised.exception.kind, "invalid_params")
            self.assertEqual(raised.exception.data["field"], "limit")
            self.assertEqual(state(session.read()), before)

    def test_a_session_that_cannot_be_opened(self) -> None:
        with self.assertRaisesRegex(ctx_lsp.CtxError, "agent") as raised:
            self.session(agent="nobody")
        self.assertIn("claude-code", raised.exception.data["known"])

    def test_an_id_that_is_taken(self) -> None:
        with self.session(id="chat"):
            with self.assertRaises(ctx_lsp.CtxError) as raised:
                self.session(id="chat")
            self.assertEqual(raised.exception.kind, "session_exists")

    def test_a_closed_session(self) -> None:
        session = self.session()
        session.close()
        session.close()
        with self.assertRaises(ctx_lsp.CtxError) as raised:
            session.read()
        self.assertEqual(raised.exception.kind, "unknown_session")

    def test_an_object_without_a_json_form(self) -> None:
        with self.session() as session, self.assertRaisesRegex(TypeError, "object cannot be sent to ctx-lsp"):
            session.usage(object())

    def test_a_program_that_is_missing(self) -> None:
        with self.assertRaisesRegex(ctx_lsp.ProgramMissing, "nowhere cannot be started"):
            ctx_lsp.Client(program="nowhere").models()

    def test_a_program_that_ends_at_once(self) -> None:
        client = ctx_lsp.Client("--no-such-flag")
        self.addCleanup(client.close)
        with self.assertRaisesRegex(ctx_lsp.DaemonEnded, "no-such-flag"):
            client.models()

    def test_a_program_of_another_version(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        folder = pathlib.Path(made.name)
        for spoken, named, reading in (
            ('"protocol":1', "1", '{"schema":"ctx.reading/1","used":1,"compaction":{"line":2}}'),
            (
                '"protocol":2',
                "2",
                '{"schema":"ctx.reading/2","used":1,"low":1,"compaction":{"hint":"","hintPhrase":null}}',
            ),
            (
                '"protocol":2',
                "2",
                '{"schema":"ctx.reading/2","used":1,"verdict":null,"compaction":{"hint":{"text":""}}}',
            ),
            ('"protocol":4', "4", '{"schema":"ctx.reading/4","used":{"tokens":1}}'),
            ("", "1 or older", '{"schema":"ctx.reading/1","used":1}'),
        ):
            program = folder / f"program-{named[:1]}-{len(named)}-{len(reading)}"
            program.write_text(OTHER.format(python=sys.executable, spoken=spoken, reading=reading), encoding="utf-8")
            program.chmod(0o755)
            client = ctx_lsp.Client(program=str(program))
            self.addCleanup(client.close)
            said = f"{program} speaks protocol {named}, and this package protocol 3; update the older one."
            for _ in range(2):
                with self.assertRaises(ctx_lsp.OtherVersion) as raised:
                    ctx_lsp.Session(client=client)
                self.assertEqual(str(raised.exception), said)


class TestDeath(Test):
    def test_the_call_in_the_middle_raises_and_the_next_one_restores(self) -> None:
        sessions = [self.session() for _ in range(3)]
        for number, session in enumerate(sessions):
            session.messages([user(f"Question {number}")])
            session.usage(usage(40_000 + number))
        before = [state(session.reading) for session in sessions]
        stopped = Stopped(self.client)
        killer = threading.Thread(target=stopped.kill_during_a_call)
        killer.start()
        with self.assertRaisesRegex(ctx_lsp.DaemonEnded, "during ctx/session/messages"):
            sessions[0].messages([user("Question 0"), assistant("Lost"), user("Lost")])
        killer.join()
        self.assertEqual([state(session.read()) for session in sessions], before)
        self.assertNotEqual(self.client.pid, stopped.connection.process.pid)
        sessions[0].messages([user("Question 0"), assistant("Answer"), user("More")])
        self.assertGreater(sessions[0].reading.new.tokens, 0)

    def test_a_daemon_that_died_between_calls_is_not_noticed(self) -> None:
        with self.session() as session:
            session.usage(usage(40_000))
            before = state(session.reading)
            kill(self.client)
            self.assertEqual(state(session.read()), before)

    def test_a_daemon_that_dies_at_random_changes_no_reading(self) -> None:
        seed = int(os.environ.get("CTX_SEED") or random.randrange(1 << 32))
        chance = random.Random(seed)
        tokens, at = 1000, 1_700_000_000_000
        with self.subTest(seed=seed), self.session(at=at) as steady:
            mortal = ctx_lsp.Client("--engine=native", "--state=none")
            self.addCleanup(mortal.close)
            other = self.session(client=mortal, id=steady.id, at=at)
            messages: list[dict[str, Any]] = []
            for _ in range(40):
                at += 1000
                if chance.random() < 0.25:
                    kill(mortal)
                if len(messages) > 8 and chance.random() < 0.1:
                    messages = [user("Summary of what happened.")]
                text = "why does it fail? " * chance.randrange(1, 400)
                messages = [*messages, user(text), assistant("Because. " * chance.randrange(1, 50))]
                tokens += chance.randrange(5000)
                for session in (steady, other):
                    session.messages(messages[:-1], at=at)
                    session.usage(usage(tokens), at=at)
                self.assertEqual(state(other.reading), state(steady.reading))
            journal = other._conversation.journal  # pyright: ignore[reportPrivateUsage]
            other.read()
            self.assertLess(sum(len(params) for _, params in journal.kept()), 200_000)

    def test_a_ledger_that_the_next_daemon_refuses(self) -> None:
        session = ctx_lsp.Session(client=self.client, model="gpt-5.5")
        session.append({"kind": "user", "tokens": 1000})
        journal = session._conversation.journal  # pyright: ignore[reportPrivateUsage]
        journal.replace(session.id, {"v": 1}, journal.kept())
        kill(self.client)
        reading = session.append({"kind": "user", "tokens": 7})
        self.assertEqual(reading.used, 7)
        self.assertIn("saved", " ".join(w.text for w in reading.warnings))
        kill(self.client)
        self.assertEqual(session.append({"kind": "user", "tokens": 5}).used, 12)

    def test_a_ledger_of_the_host_that_is_refused(self) -> None:
        with self.assertRaises(ctx_lsp.CtxError) as refused:
            ctx_lsp.Session(client=self.client, ledger={"v": 1})
        self.assertEqual(refused.exception.kind, "bad_ledger")

    def test_threads_share_a_daemon_that_dies(self) -> None:
        sessions = [self.session() for _ in range(4)]
        failures: list[str] = []

        def work(session: ctx_lsp.Session) -> None:
            done = 0
            for _ in range(200):
                try:
                    session.update(append=[{"kind": "user", "tokens": 10}])
                    done += 1
                except ctx_lsp.DaemonEnded:
                    pass
                if done == 30:
                    break
            used = session.read().used
            if used != 300:
                failures.append(f"{done} calls were carried out, and {used} tokens are used")

        threads = [threading.Thread(target=work, args=(session,)) for session in sessions]
        for thread in threads:
            thread.start()
        for _ in range(3):
            if self.client.pid is not None:
                kill(self.client)
        for thread in threads:
            thread.join(120)
        self.assertEqual(failures, [])

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_a_fork_has_a_daemon_of_its_own(self) -> None:
        with self.session() as session:
            session.usage(usage(40_000))
            parent, before = self.client.pid, state(session.reading)
            child = os.fork()
            if child == 0:
                same = state(session.read()) == before and self.client.pid not in (parent, None)
                self.client.close()
                os._exit(0 if same else 1)
            _, status = os.waitpid(child, 0)
            self.assertEqual(os.waitstatus_to_exitcode(status), 0)
            self.assertEqual(state(session.read()), before)
            self.assertEqual(self.client.pid, parent)

    def test_the_daemon_ends_with_its_parent(self) -> None:
        for how in ("os.kill(os.getpid(), 9)", "sys.exit()", "os._exit(0)"):
            with self.subTest(how):
                script = (
                    "import ctx_lsp, os, sys\n"
                    "session = ctx_lsp.Session(client=(client := ctx_lsp.Client('--engine=native', '--state=none')))\n"
                    f"print(client.pid, flush=True)\n{how}\n"
                )
                # The pipe is inherited by no daemon, so its end shows only that this program has ended.
                made = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=False)
                self.assertTrue(ends(int(made.stdout)), f"the daemon is still there after {how}")


def ends(pid: int) -> bool:
    """Waits until a process of another parent has ended."""
    for _ in range(600):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        stat = pathlib.Path(f"/proc/{pid}/stat")
        if stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return True
        threading.Event().wait(0.05)
    return False


class TestAsync(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.client = ctx_lsp.AsyncClient(ctx_lsp.Client("--engine=native", "--state=none"))
        self.addAsyncCleanup(self.client.close)

    async def test_sessions_side_by_side(self) -> None:
        async def one(tokens: int) -> int:
            async with ctx_lsp.AsyncSession(client=self.client, model="gpt-5") as session:
                await session.messages([user("Why does the build fail?")])
                await session.usage({"prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10})
                assert session.reading.lastRequest is not None
                return session.reading.lastRequest.in_

        self.assertEqual(await asyncio.gather(*(one(n) for n in range(1000, 1010))), list(range(1000, 1010)))

    async def test_the_call_in_the_middle_raises_and_the_next_one_restores(self) -> None:
        async with ctx_lsp.AsyncSession(client=self.client, model="gpt-5") as session:
            await session.update(append=[{"kind": "user", "tokens": 100}])
            stopped = Stopped(self.client.client)
            call = asyncio.ensure_future(session.update(append=[{"kind": "user", "tokens": 10_000}]))
            await asyncio.sleep(0)
            stopped.kill()
            with self.assertRaises(ctx_lsp.DaemonEnded):
                await call
            self.assertEqual((await session.read()).used, 100)

    async def test_calls_in_flight_all_raise_and_change_nothing(self) -> None:
        async with ctx_lsp.AsyncSession(client=self.client, model="gpt-5") as session:
            await session.update(append=[{"kind": "user", "tokens": 100}])
            stopped = Stopped(self.client.client)
            item: ctx_lsp.types.Item = {"kind": "user", "tokens": 10_000}
            calls = [asyncio.ensure_future(session.append(item)) for _ in range(20)]
            await asyncio.sleep(0)
            stopped.kill()
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            self.assertEqual({type(outcome) for outcome in outcomes}, {ctx_lsp.DaemonEnded})
            self.assertEqual((await session.read()).used, 100)

    async def test_a_mistake(self) -> None:
        with self.assertRaisesRegex(ctx_lsp.CtxError, "agent"):
            async with ctx_lsp.AsyncSession(client=self.client, agent="nobody"):
                self.fail("the session was opened")

    async def test_a_cancelled_call_is_completed(self) -> None:
        async with ctx_lsp.AsyncSession(client=self.client) as session:
            call = asyncio.ensure_future(session.update(append=[{"kind": "user", "tokens": 100}]))
            await asyncio.sleep(0)
            call.cancel()
            self.assertEqual((await session.read()).used, 100)

    async def test_calls_without_a_session(self) -> None:
        self.assertTrue((await self.client.models(query="opus")).models)


class TestNotifications(unittest.TestCase):
    def test_they_arrive(self) -> None:
        arrived = threading.Event()

        def notified(method: str, params: ctx_lsp.Object) -> None:
            if method == "ctx/reading" and isinstance(params, ctx_lsp.Reading) and params.used == 123:
                arrived.set()
            raise RuntimeError("a callback that fails ends nothing")

        client = ctx_lsp.Client("--engine=native", "--state=none", notified=notified)
        with client, self.assertLogs("ctx_lsp"), ctx_lsp.Session(client=client) as session:
            session.update(append=[{"kind": "user", "tokens": 123}])
            self.assertTrue(arrived.wait(60))


@dataclasses.dataclass
class Details:
    cached_tokens: int = 3


@dataclasses.dataclass
class Block:
    type: str
    text: str
    time: datetime.datetime | None = None
    details: Details = dataclasses.field(default_factory=Details)


class Model:
    """Model stands for a model of pydantic."""

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return {"input_tokens": 7}


class TestObjects(unittest.TestCase):
    def test_objects_of_sdks(self) -> None:
        value = [
            Block("text", "Ä", datetime.datetime(2026, 1, 2)),
            Model(),
            (1, 2),
            b"\x00",
            pathlib.PurePosixPath("a/b"),
        ]
        self.assertEqual(
            json.loads(encoded(value)),
            [
                {"type": "text", "text": "Ä", "time": "2026-01-02T00:00:00", "details": {"cached_tokens": 3}},
                {"input_tokens": 7},
                [1, 2],
                "AA==",
                "a/b",
            ],
        )
        self.assertEqual(plain(types.MappingProxyType({"a": 1})), {"a": 1})

    def test_half_of_a_pair_is_sent(self) -> None:
        self.assertEqual(json.loads(encoded("a\ud800b")), "a?b")

    def test_numbers_that_json_lacks_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            encoded(float("nan"))

    def test_a_session_takes_them(self) -> None:
        with ctx_lsp.Client("--engine=native", "--state=none") as client, ctx_lsp.Session(client=client) as session:
            session.messages([{"role": "user", "content": [Block("text", "Why does the build fail?")]}])
            self.assertEqual(session.reading.warnings, [])
            counted = session.reading.used
            session.usage(Model())
            assert session.reading.lastRequest is not None
            self.assertEqual(session.reading.lastRequest.in_, 7)
            self.assertGreater(counted, 0)


class TestJournal(unittest.TestCase):
    def test_calls_that_were_not_answered_are_not_repeated(self) -> None:
        begin, one, two = ("open", b"{}"), ("one", b"{}"), ("two", b"{}")
        journal = Journal(begin, {})
        journal.keep(one)
        journal.answered(one)
        journal.keep(two)
        self.assertEqual(journal.kept(), (one, two))
        self.assertEqual(journal.begin(), [begin, one])
        journal.replace("chat", {"v": 1}, (one,))
        self.assertEqual(journal.begin(), [("ctx/session/restore", b'{"id":"chat","ledger":{"v":1}}')])


class TestFraming(unittest.TestCase):
    def printing(self, text: str) -> Connection:
        """Returns a connection to a daemon that prints a text and ends."""
        return Connection([sys.executable, "-c", f"import sys; sys.stdout.buffer.write({text.encode()!r})"], None)

    def test_a_daemon_that_writes_nonsense_is_ended(self) -> None:
        for text in (
            "Content-Length: 5\r\n\r\nnull!",
            "Content-Length: x\r\n\r\n",
            'Content-Length: 8\r\n\r\n{"id":7}',
        ):
            with self.subTest(text), self.assertLogs("ctx_lsp"):
                connection = self.printing(text)
                with self.assertRaises(ctx_lsp.DaemonEnded):
                    connection.send("ctx/models", b"{}").result()
                connection.close()

    def test_a_daemon_that_ends_within_a_message(self) -> None:
        connection = self.printing("Content-Length: 4\r\n\r\n1")
        with self.assertRaises(ctx_lsp.DaemonEnded):
            connection.send("ctx/models", b"{}").result()
        connection.close()


class TestTypes(unittest.TestCase):
    def test_every_member_of_a_reading_is_typed(self) -> None:
        checked = 0
        with (
            ctx_lsp.Client("--engine=native", "--state=none") as client,
            ctx_lsp.Session(client=client, agent="claude-code", model="claude-sonnet-4-5") as session,
        ):
            records = (ROOT / "testdata" / "sessions" / "claude-code" / "compacted.jsonl").read_text().splitlines()
            session.usage(usage(10))
            answer = client.call(
                "ctx/session/records", {"id": "sample", "records": records, "open": True, "steps": True}
            )
            checked += self.check(ctx_lsp.types.RecordsAnswer(answer))
            checked += self.check(session.reading)
        self.assertGreater(checked, 60)

    def check(self, value: ctx_lsp.Object) -> int:
        known = value._required | value._optional  # pyright: ignore[reportPrivateUsage]
        self.assertLessEqual(value.as_dict().keys(), known, type(value).__name__)
        self.assertTrue(value.fits(value.as_dict()), type(value).__name__)
        checked = 1
        for name in value.as_dict():
            member = value[name]
            for each in cast("list[Any]", member) if isinstance(member, list) else [member]:
                if isinstance(each, ctx_lsp.Object):
                    checked += self.check(each)
                elif isinstance(each, dict):
                    self.assertIn(name, {"lines"}, f"{type(value).__name__}.{name} has no class")
        return checked


if __name__ == "__main__":
    unittest.main()
