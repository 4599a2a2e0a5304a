# Copyright The ctx-lsp authors. MIT licence.

# Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.
"""Methods are the methods of the protocol. docs/protocol.md explains them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import types

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack


class SessionMethods:
    """SessionMethods has the methods of one session."""

    def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def update(self, **options: Unpack[types.UpdateOptions]) -> types.Reading:
        """Changes a session: its model, its fixed context, its items."""
        answer: types.Reading = self._call("ctx/session/update", (types.Reading,), {**options})
        return answer

    def messages(self, messages: Sequence[types.Appendix], **options: Unpack[types.MessagesOptions]) -> types.Reading:
        """Passes all messages of the conversation, as the host holds them."""
        answer: types.Reading = self._call("ctx/session/messages", (types.Reading,), {"messages": messages, **options})
        return answer

    def usage(self, usage: types.Foreign, **options: Unpack[types.UsageOptions]) -> types.Reading:
        """Passes the usage that a provider reported."""
        answer: types.Reading = self._call("ctx/session/usage", (types.Reading,), {"usage": usage, **options})
        return answer

    def error(self, error: types.Foreign, **options: Unpack[types.ErrorOptions]) -> types.Reading:
        """Passes a provider's error."""
        answer: types.Reading = self._call("ctx/session/error", (types.Reading,), {"error": error, **options})
        return answer

    def compacted(self, **options: Unpack[types.CompactedOptions]) -> types.Reading:
        """Reports that the conversation was compacted."""
        answer: types.Reading = self._call("ctx/session/compacted", (types.Reading,), {**options})
        return answer

    def records(self, records: Sequence[types.Foreign], **options: Unpack[types.RecordsOptions]) -> types.Reading | types.RecordsAnswer | None:
        """Passes records of an agent's transcript. Every engine reads every agent that keeps its sessions as text."""
        answer: types.Reading | types.RecordsAnswer | None = self._call("ctx/session/records", (types.Reading, types.RecordsAnswer), {"records": records, **options})
        return answer

    def read(self, **options: Unpack[types.ReadingOptions]) -> types.Reading:
        """Returns the current Reading."""
        answer: types.Reading = self._call("ctx/session/reading", (types.Reading,), {**options})
        return answer

    def history(self, **options: Unpack[types.HistoryOptions]) -> types.HistoryAnswer:
        """Returns the history of a session."""
        answer: types.HistoryAnswer = self._call("ctx/session/history", (types.HistoryAnswer,), {**options})
        return answer

    def items(self, **options: Unpack[types.ItemsOptions]) -> types.ItemsAnswer:
        """Lists the largest items of a session."""
        answer: types.ItemsAnswer = self._call("ctx/session/items", (types.ItemsAnswer,), {**options})
        return answer

    def fits(self, parts: types.Content, **options: Unpack[types.FitsOptions]) -> types.FitsAnswer:
        """Reports whether more text would fit into the next request of a session."""
        answer: types.FitsAnswer = self._call("ctx/session/fits", (types.FitsAnswer,), {"parts": parts, **options})
        return answer

    def save(self, **options: Unpack[types.SessionOptions]) -> types.SaveAnswer:
        """Returns a ledger that restores the session after a restart."""
        answer: types.SaveAnswer = self._call("ctx/session/save", (types.SaveAnswer,), {**options})
        return answer


class AsyncSessionMethods:
    """AsyncSessionMethods has the methods of one session, for asyncio."""

    async def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    async def update(self, **options: Unpack[types.UpdateOptions]) -> types.Reading:
        """Changes a session: its model, its fixed context, its items."""
        answer: types.Reading = await self._call("ctx/session/update", (types.Reading,), {**options})
        return answer

    async def messages(self, messages: Sequence[types.Appendix], **options: Unpack[types.MessagesOptions]) -> types.Reading:
        """Passes all messages of the conversation, as the host holds them."""
        answer: types.Reading = await self._call("ctx/session/messages", (types.Reading,), {"messages": messages, **options})
        return answer

    async def usage(self, usage: types.Foreign, **options: Unpack[types.UsageOptions]) -> types.Reading:
        """Passes the usage that a provider reported."""
        answer: types.Reading = await self._call("ctx/session/usage", (types.Reading,), {"usage": usage, **options})
        return answer

    async def error(self, error: types.Foreign, **options: Unpack[types.ErrorOptions]) -> types.Reading:
        """Passes a provider's error."""
        answer: types.Reading = await self._call("ctx/session/error", (types.Reading,), {"error": error, **options})
        return answer

    async def compacted(self, **options: Unpack[types.CompactedOptions]) -> types.Reading:
        """Reports that the conversation was compacted."""
        answer: types.Reading = await self._call("ctx/session/compacted", (types.Reading,), {**options})
        return answer

    async def records(self, records: Sequence[types.Foreign], **options: Unpack[types.RecordsOptions]) -> types.Reading | types.RecordsAnswer | None:
        """Passes records of an agent's transcript. Every engine reads every agent that keeps its sessions as text."""
        answer: types.Reading | types.RecordsAnswer | None = await self._call("ctx/session/records", (types.Reading, types.RecordsAnswer), {"records": records, **options})
        return answer

    async def read(self, **options: Unpack[types.ReadingOptions]) -> types.Reading:
        """Returns the current Reading."""
        answer: types.Reading = await self._call("ctx/session/reading", (types.Reading,), {**options})
        return answer

    async def history(self, **options: Unpack[types.HistoryOptions]) -> types.HistoryAnswer:
        """Returns the history of a session."""
        answer: types.HistoryAnswer = await self._call("ctx/session/history", (types.HistoryAnswer,), {**options})
        return answer

    async def items(self, **options: Unpack[types.ItemsOptions]) -> types.ItemsAnswer:
        """Lists the largest items of a session."""
        answer: types.ItemsAnswer = await self._call("ctx/session/items", (types.ItemsAnswer,), {**options})
        return answer

    async def fits(self, parts: types.Content, **options: Unpack[types.FitsOptions]) -> types.FitsAnswer:
        """Reports whether more text would fit into the next request of a session."""
        answer: types.FitsAnswer = await self._call("ctx/session/fits", (types.FitsAnswer,), {"parts": parts, **options})
        return answer

    async def save(self, **options: Unpack[types.SessionOptions]) -> types.SaveAnswer:
        """Returns a ledger that restores the session after a restart."""
        answer: types.SaveAnswer = await self._call("ctx/session/save", (types.SaveAnswer,), {**options})
        return answer


class ClientMethods:
    """ClientMethods has the methods that are not about one session."""

    def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def sessions(self, **options: Unpack[types.SessionsOptions]) -> types.SessionsAnswer:
        """Lists the sessions in short."""
        answer: types.SessionsAnswer = self._call("ctx/sessions", (types.SessionsAnswer,), {**options})
        return answer

    def document_open(self, id: str, text: types.Body, **options: Unpack[types.DocumentOpenOptions]) -> types.DocumentView | None:
        """Opens a prompt file."""
        answer: types.DocumentView | None = self._call("ctx/document/open", (types.DocumentView,), {"id": id, "text": text, **options})
        return answer

    def document_change(self, id: str, **options: Unpack[types.DocumentChangeOptions]) -> types.DocumentView | None:
        """Changes the text of a prompt file."""
        answer: types.DocumentView | None = self._call("ctx/document/change", (types.DocumentView,), {"id": id, **options})
        return answer

    def document_view(self, id: str, **options: Unpack[types.DocumentViewOptions]) -> types.DocumentView | None:
        """Returns the current view of a prompt file."""
        answer: types.DocumentView | None = self._call("ctx/document/view", (types.DocumentView,), {"id": id, **options})
        return answer

    def document_close(self, id: str, **options: Unpack[types.DocumentOptions]) -> None:
        """Closes a prompt file."""
        answer: None = self._call("ctx/document/close", (), {"id": id, **options})
        return answer

    def count(self, **options: Unpack[types.CountOptions]) -> types.CountAnswer | types.ExactAnswer:
        """Counts texts without a session."""
        answer: types.CountAnswer | types.ExactAnswer = self._call("ctx/count", (types.CountAnswer, types.ExactAnswer), {**options})
        return answer

    def models(self, **options: Unpack[types.ModelsOptions]) -> types.ModelsAnswer:
        """Lists models of the registry."""
        answer: types.ModelsAnswer = self._call("ctx/models", (types.ModelsAnswer,), {**options})
        return answer

    def lines(self, lines: Mapping[str, types.Template], **options: Unpack[types.LinesOptions]) -> types.LinesAnswer:
        """Fills the templates of the short lines that a front end shows of a Reading."""
        answer: types.LinesAnswer = self._call("ctx/lines", (types.LinesAnswer,), {"lines": lines, **options})
        return answer

    def crossing(self, reading: types.Foreign, **options: Unpack[types.CrossingOptions]) -> types.CrossingAnswer:
        """Reports whether a session has crossed a level since the previous Reading."""
        answer: types.CrossingAnswer = self._call("ctx/crossing", (types.CrossingAnswer,), {"reading": reading, **options})
        return answer

    def learned_get(self) -> types.LearnedAnswer:
        """Returns the learned corrections."""
        answer: types.LearnedAnswer = self._call("ctx/learned/get", (types.LearnedAnswer,), {})
        return answer

    def learned_set(self, learned: types.SavedLessons) -> None:
        """Replaces the learned corrections."""
        answer: None = self._call("ctx/learned/set", (), {"learned": learned})
        return answer

    def watch(self, **options: Unpack[types.WatchOptions]) -> types.WatchAnswer:
        """Follows the sessions of the agents on this machine."""
        answer: types.WatchAnswer = self._call("ctx/watch", (types.WatchAnswer,), {**options})
        return answer

    def unwatch(self) -> None:
        """Stops following."""
        answer: None = self._call("ctx/unwatch", (), {})
        return answer

    def earlier(self, **options: Unpack[types.EarlierOptions]) -> types.EarlierAnswer:
        """Lists the unread sessions of this machine: those that have not continued since the daemon began to watch."""
        answer: types.EarlierAnswer = self._call("ctx/earlier", (types.EarlierAnswer,), {**options})
        return answer

    def handover(self, id: str, **options: Unpack[types.HandoverOptions]) -> types.HandoverAnswer:
        """Writes a handover note for a session, from its transcript and without a model."""
        answer: types.HandoverAnswer = self._call("ctx/handover", (types.HandoverAnswer,), {"id": id, **options})
        return answer

    def forgot(self, id: str, **options: Unpack[types.ForgotOptions]) -> types.ForgotAnswer:
        """Compares the window before a compaction with the parts that the agent kept."""
        answer: types.ForgotAnswer = self._call("ctx/forgot", (types.ForgotAnswer,), {"id": id, **options})
        return answer

    def sees(self, id: str, path: str, **options: Unpack[types.SeesOptions]) -> types.SeesAnswer:
        """Returns what the next request of a session holds of a file, line by line, from its transcript."""
        answer: types.SeesAnswer = self._call("ctx/sees", (types.SeesAnswer,), {"id": id, "path": path, **options})
        return answer

    def first(self, workspace: str, **options: Unpack[types.FirstOptions]) -> types.FirstAnswer:
        """Lists the fixed context of the sessions of a workspace, with its changes and their causes."""
        answer: types.FirstAnswer = self._call("ctx/first", (types.FirstAnswer,), {"workspace": workspace, **options})
        return answer

    def focus(self, **options: Unpack[types.FocusOptions]) -> types.Reading | None:
        """Reports what is focused, and returns the session that belongs to it."""
        answer: types.Reading | None = self._call("ctx/focus", (types.Reading,), {**options})
        return answer

    def terminals(self, pids: Sequence[int]) -> types.TerminalsAnswer:
        """Returns the session of each given terminal, or the possible ones."""
        answer: types.TerminalsAnswer = self._call("ctx/terminals", (types.TerminalsAnswer,), {"pids": pids})
        return answer

    def vocabulary(self, name: str, **options: Unpack[types.VocabularyOptions]) -> None:
        """Fetches a vocabulary from its public address after the user agreed, or records that the user declined."""
        answer: None = self._call("ctx/vocabulary", (), {"name": name, **options})
        return answer


class AsyncClientMethods:
    """AsyncClientMethods has the methods that are not about one session, for asyncio."""

    async def _call(self, method: str, answers: tuple[type[Any], ...], params: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    async def sessions(self, **options: Unpack[types.SessionsOptions]) -> types.SessionsAnswer:
        """Lists the sessions in short."""
        answer: types.SessionsAnswer = await self._call("ctx/sessions", (types.SessionsAnswer,), {**options})
        return answer

    async def document_open(self, id: str, text: types.Body, **options: Unpack[types.DocumentOpenOptions]) -> types.DocumentView | None:
        """Opens a prompt file."""
        answer: types.DocumentView | None = await self._call("ctx/document/open", (types.DocumentView,), {"id": id, "text": text, **options})
        return answer

    async def document_change(self, id: str, **options: Unpack[types.DocumentChangeOptions]) -> types.DocumentView | None:
        """Changes the text of a prompt file."""
        answer: types.DocumentView | None = await self._call("ctx/document/change", (types.DocumentView,), {"id": id, **options})
        return answer

    async def document_view(self, id: str, **options: Unpack[types.DocumentViewOptions]) -> types.DocumentView | None:
        """Returns the current view of a prompt file."""
        answer: types.DocumentView | None = await self._call("ctx/document/view", (types.DocumentView,), {"id": id, **options})
        return answer

    async def document_close(self, id: str, **options: Unpack[types.DocumentOptions]) -> None:
        """Closes a prompt file."""
        answer: None = await self._call("ctx/document/close", (), {"id": id, **options})
        return answer

    async def count(self, **options: Unpack[types.CountOptions]) -> types.CountAnswer | types.ExactAnswer:
        """Counts texts without a session."""
        answer: types.CountAnswer | types.ExactAnswer = await self._call("ctx/count", (types.CountAnswer, types.ExactAnswer), {**options})
        return answer

    async def models(self, **options: Unpack[types.ModelsOptions]) -> types.ModelsAnswer:
        """Lists models of the registry."""
        answer: types.ModelsAnswer = await self._call("ctx/models", (types.ModelsAnswer,), {**options})
        return answer

    async def lines(self, lines: Mapping[str, types.Template], **options: Unpack[types.LinesOptions]) -> types.LinesAnswer:
        """Fills the templates of the short lines that a front end shows of a Reading."""
        answer: types.LinesAnswer = await self._call("ctx/lines", (types.LinesAnswer,), {"lines": lines, **options})
        return answer

    async def crossing(self, reading: types.Foreign, **options: Unpack[types.CrossingOptions]) -> types.CrossingAnswer:
        """Reports whether a session has crossed a level since the previous Reading."""
        answer: types.CrossingAnswer = await self._call("ctx/crossing", (types.CrossingAnswer,), {"reading": reading, **options})
        return answer

    async def learned_get(self) -> types.LearnedAnswer:
        """Returns the learned corrections."""
        answer: types.LearnedAnswer = await self._call("ctx/learned/get", (types.LearnedAnswer,), {})
        return answer

    async def learned_set(self, learned: types.SavedLessons) -> None:
        """Replaces the learned corrections."""
        answer: None = await self._call("ctx/learned/set", (), {"learned": learned})
        return answer

    async def watch(self, **options: Unpack[types.WatchOptions]) -> types.WatchAnswer:
        """Follows the sessions of the agents on this machine."""
        answer: types.WatchAnswer = await self._call("ctx/watch", (types.WatchAnswer,), {**options})
        return answer

    async def unwatch(self) -> None:
        """Stops following."""
        answer: None = await self._call("ctx/unwatch", (), {})
        return answer

    async def earlier(self, **options: Unpack[types.EarlierOptions]) -> types.EarlierAnswer:
        """Lists the unread sessions of this machine: those that have not continued since the daemon began to watch."""
        answer: types.EarlierAnswer = await self._call("ctx/earlier", (types.EarlierAnswer,), {**options})
        return answer

    async def handover(self, id: str, **options: Unpack[types.HandoverOptions]) -> types.HandoverAnswer:
        """Writes a handover note for a session, from its transcript and without a model."""
        answer: types.HandoverAnswer = await self._call("ctx/handover", (types.HandoverAnswer,), {"id": id, **options})
        return answer

    async def forgot(self, id: str, **options: Unpack[types.ForgotOptions]) -> types.ForgotAnswer:
        """Compares the window before a compaction with the parts that the agent kept."""
        answer: types.ForgotAnswer = await self._call("ctx/forgot", (types.ForgotAnswer,), {"id": id, **options})
        return answer

    async def sees(self, id: str, path: str, **options: Unpack[types.SeesOptions]) -> types.SeesAnswer:
        """Returns what the next request of a session holds of a file, line by line, from its transcript."""
        answer: types.SeesAnswer = await self._call("ctx/sees", (types.SeesAnswer,), {"id": id, "path": path, **options})
        return answer

    async def first(self, workspace: str, **options: Unpack[types.FirstOptions]) -> types.FirstAnswer:
        """Lists the fixed context of the sessions of a workspace, with its changes and their causes."""
        answer: types.FirstAnswer = await self._call("ctx/first", (types.FirstAnswer,), {"workspace": workspace, **options})
        return answer

    async def focus(self, **options: Unpack[types.FocusOptions]) -> types.Reading | None:
        """Reports what is focused, and returns the session that belongs to it."""
        answer: types.Reading | None = await self._call("ctx/focus", (types.Reading,), {**options})
        return answer

    async def terminals(self, pids: Sequence[int]) -> types.TerminalsAnswer:
        """Returns the session of each given terminal, or the possible ones."""
        answer: types.TerminalsAnswer = await self._call("ctx/terminals", (types.TerminalsAnswer,), {"pids": pids})
        return answer

    async def vocabulary(self, name: str, **options: Unpack[types.VocabularyOptions]) -> None:
        """Fetches a vocabulary from its public address after the user agreed, or records that the user declined."""
        answer: None = await self._call("ctx/vocabulary", (), {"name": name, **options})
        return answer
