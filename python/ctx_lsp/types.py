# Copyright The ctx-lsp authors. MIT licence.

# Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.
"""Types are the types of the protocol. docs/protocol.md explains them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from .objects import Object

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypeAlias
else:
    from typing import TypeAlias

    if TYPE_CHECKING:
        from typing_extensions import NotRequired

Basis: TypeAlias = "Literal['measured', 'counted', 'derived', 'estimated', 'unknown', 'measured+counted', 'measured+estimated']"
"""
Basis is how a number is known: by the provider (measured), by the model's own tokenizer (counted), as a remainder
(derived), or as an estimate.
"""

Level: TypeAlias = "Literal['ok', 'soon', 'now', 'over']"
"""Level is how near compaction is."""

Activity: TypeAlias = "Literal['working', 'waiting', 'idle', 'ended']"
"""
Activity is the agent's activity: a request or a tool is running (working), it waits for the user, it has no
process and no record for a while (idle), or it ended.
"""

WaitingFor: TypeAlias = "Literal['approval', 'prompt']"
"""WaitingFor is what an agent waits for: approval of something it asked, or the next prompt."""

Kind: TypeAlias = "Literal['system', 'tools', 'mcpTools', 'skills', 'agents', 'memory', 'documents', 'summary', 'user', 'assistant', 'toolCalls', 'toolResults', 'reasoning', 'media', 'messages', 'unattributed', 'prefix']"
"""
Kind is a row of the breakdown. If a measured prompt was not itemized, messages is its remainder. Otherwise prefix
is the part of the remainder that preceded the conversation and cannot be divided further, and unattributed is the
part added later without a record.
"""

SubjectKind: TypeAlias = "Literal['tool', 'file', 'command', 'url', 'mcp', 'agent', 'skill', 'others']"
"""
SubjectKind is the kind of an item's subject; empty for any other label. Others stands for further subjects of a
tool, beyond the number that are kept apart.
"""

Mode: TypeAlias = "Literal['hybrid', 'provider']"
"""
Mode is the meaning of used: hybrid, the prediction for the next request; or provider, the last measured prompt
and nothing else.
"""

LimitSource: TypeAlias = "Literal['setting', 'user', 'agentNow', 'error', 'accepted', 'agent', 'provider', 'learned', 'agentTable', 'registry', 'unknown']"
"""
LimitSource is the source of the window's size, in order of precedence. setting is a smaller window that the user
has set for the agent. error is an overflow newer than the other sources; it also takes precedence over user and
agentNow if it gives less. agentNow is the agent's report in this session, outside its records. accepted is the
model's larger window, after two prompts that need it. learned was shown by refusals or accepted prompts of
earlier sessions.
"""

ThresholdSourceKind: TypeAlias = "Literal['session', 'learned', 'asked', 'setting', 'rule', 'limit', 'dropped', 'estimate']"
"""
ThresholdSourceKind is a kind of source of the compaction threshold, in order of precedence: the session's own
compactions, earlier sessions, the requested rule, a setting of the agent, and the agent's own rule. The limit
less the reserve bounds all of them. Dropped and estimate are what the agent counts differently.
"""

ThresholdState: TypeAlias = "Literal['inForce', 'overruled', 'withoutEffect', 'adjusts']"
"""
ThresholdState is the effect of a source's threshold: it decides, another source takes precedence, it changes
nothing, or it is added to the threshold in force.
"""

ReasoningMode: TypeAlias = "Literal['never', 'turn', 'always']"
"""ReasoningMode is how long reasoning stays in the window."""

Trigger: TypeAlias = "Literal['auto', 'manual']"
"""Trigger is what started a compaction: the agent or the user."""

CompactionTrigger: TypeAlias = "Literal['unknown', 'auto', 'manual', 'idle']"
"""
CompactionTrigger is what started a compaction: the agent at its threshold (auto), a command (manual), or the
agent because the session was idle (idle).
"""

Answer: TypeAlias = "Literal['unknown', 'yes', 'no']"
"""Answer is yes, no, or unknown."""

BackCause: TypeAlias = "Literal['time', 'ended', 'model', 'tools', 'compacted']"
"""
BackCause is the reason why a prompt cache is cold: its lifetime is over, the agent's process has ended, the model
or the tools have changed, or the conversation was compacted.
"""

BreakCause: TypeAlias = "Literal['unknown', 'time', 'compaction', 'messages', 'model', 'effort', 'tools', 'system', 'process', 'provider']"
"""
BreakCause is the reason why a request did not find the previous prompt in the cache: the cache's lifetime was
over, the conversation was compacted, earlier messages, the model, the effort, the tools or the system prompt
changed, another process or route sent it, or the provider did not use its cache.
"""

Turn: TypeAlias = "Literal['start', 'end']"
"""Turn is the start or the end of a turn of the conversation."""


class Phrase(Object):
    """
    Phrase is a text of ctx-lsp for front ends that translate: its id, which is one of internal/phrase/list.go,
    and the values of its placeholders: numbers, names, and phrases. A third-party text never has one.
    """

    _required = frozenset({"id"})
    _optional = frozenset({"args"})
    id: str
    args: list[str | int | Phrase] | None

Arg: TypeAlias = "str | int | Phrase"
"""Arg is the value of a placeholder: a name, a number, or a phrase."""

Time: TypeAlias = "int"
"""Time is a moment, in milliseconds since 1970."""

Body: TypeAlias = "str"
"""Body is a text of any length. It is counted and dropped."""

RuleChoice: TypeAlias = "Rule | str | None"
"""RuleChoice is a Rule, "none", or the name of an agent whose rule to use."""

Content: TypeAlias = "object"
"""
Content is the content of a fixed row: a text, a number of tokens, a Part, or an array of Parts, texts and
numbers. Blocks of a system prompt and definitions of tools may have the provider's shape. null clears the row.
"""

Block: TypeAlias = "object"
"""Block is a block of a system prompt, or the definition of a tool, as a provider shapes it."""

Message: TypeAlias = "object"
"""
Message is a message of a conversation as a provider or the AI SDK shapes it: with a role and its content or
parts, or an input item with its type.
"""

Appendix: TypeAlias = "object"
"""Appendix is an Item, or a Message."""

Draft: TypeAlias = "str | int | Part | Item | None"
"""Draft is the message that the user is typing. null or an empty text clears it."""

Summary: TypeAlias = "str | int | Part | None"
"""Summary is the summary that a compaction left: a text, a number of tokens, or a Part."""

Opening: TypeAlias = "bool | OpenParams"
"""Opening is true, or the parameters to open a session with."""

Foreign: TypeAlias = "object"
"""Foreign is a third-party value, as it was received."""

Sentence: TypeAlias = "str | Phrase"
"""Sentence is a text for users: a third-party text, or a phrase."""

SavedLedger: TypeAlias = "Ledger | Mapping[str, object]"
"""SavedLedger is a ledger as ctx/session/save returned it."""

SavedLessons: TypeAlias = "Learned | None | Mapping[str, object]"
"""SavedLessons are learned corrections as ctx/learned/get returned them; null for none."""

Nothing: TypeAlias = "Mapping[str, object]"
"""Nothing is a result without a field."""

Tone: TypeAlias = "Literal['plain', 'strong', 'quiet', 'ok', 'soon', 'now', 'over']"
"""Tone is how a front end colors a row: like a level of compaction, less or more than its neighbors, or like them."""

PanelForm: TypeAlias = "Literal['short', 'long']"
"""PanelForm is the form of a panel: a screen (short), or everything (long)."""

TimeForm: TypeAlias = "Literal['minutes', 'age', 'clock']"
"""
TimeForm is how a front end writes a time: the minutes until then, rounded up; the time that has passed since
then; or the time of day, with the date if that is another day.
"""

NoParams: TypeAlias = "Mapping[str, object]"
"""NoParams are the parameters of a method without any."""

ImportProblem: TypeAlias = "Literal['missing', 'outside', 'tooLarge', 'unreadable']"
"""ImportProblem is the reason why an import fails; empty if it does not."""

LimitOf: TypeAlias = "Literal['session', 'agent', 'model']"
"""
LimitOf is the source of the window that a prompt file is compared with: the session that it is opened for,
otherwise the agent's assumption about the model, otherwise the model itself; empty if none is known.
"""

DrawnPart: TypeAlias = "Literal['lenses', 'hints', 'hovers', 'links', 'diagnostics', 'breakdown']"
"""DrawnPart is one of the parts that an editor draws."""

TextUnits: TypeAlias = "Literal['utf-8', 'utf-16', 'utf-32']"
"""TextUnits is the unit in which characters of a line are counted, as in LSP."""

Template: TypeAlias = "str | Sequence[str]"
"""
Template is the template of a line, or a list of templates, the longest first: the first with a value for all its
fields is used, otherwise the last.
"""

Reason: TypeAlias = "Literal['session', 'terminal', 'process', 'file', 'workspace', 'elsewhere']"
"""Reason is the reason why a session is the focused one: the item that led to it, or elsewhere if none did."""

TodoState: TypeAlias = "Literal['open', 'doing', 'done']"
"""TodoState is the state of an entry in an agent's list."""

SightState: TypeAlias = "Literal['verbatim', 'own', 'stale', 'summarized', 'gone', 'never', 'unknown']"
"""
SightState is what the next request holds of a line: the line as it is, the line as the agent wrote it, its place
with another text, only a summary that names the file, nothing any more, or nothing at all. It is unknown if the
record does not show it.
"""

ForgotState: TypeAlias = "Literal['kept', 'inSummary', 'gone', 'unknown']"
"""
ForgotState is what became of an item in a compaction: it is still sent, the summary mentions it, or it is gone.
It is unknown if the summary is not recorded.
"""

Proof: TypeAlias = "Literal['sessionFile', 'openFile', 'command', 'start']"
"""
Proof is how it is known that a process runs a session, the strongest first: the agent's own file about its
process, the open transcript, the id on the command line, or start times that leave one possibility, which is an
inference. It is empty without proof.
"""

ErrorKind: TypeAlias = "Literal['parse_error', 'invalid_request', 'unknown_method', 'invalid_params', 'internal', 'not_initialized', 'cancelled', 'request_failed', 'unknown_session', 'needs_vocabulary', 'limit_exceeded', 'session_exists', 'bad_ledger', 'unreadable']"
"""ErrorKind is the kind of an error, on which programs act. Each kind has one code."""

Crossing: TypeAlias = "Literal['up', 'down']"
"""
Crossing is the direction in which a level was crossed. With each crossing a front end withdraws its previous
notification of the session.
"""

Hundredths: TypeAlias = "float"
"""
Hundredths is a number with two decimals, most often a percentage: 2605 is 26.05. It reads and writes JSON
exactly, so that no front end rounds it again.
"""


class Text(Object):
    """
    Text is a text that front ends show, in English. A text of ctx-lsp has the id of its phrase, one of
    internal/phrase/list.go, and the values of its placeholders, for front ends that translate. A third-party text
    has neither.
    """

    _required = frozenset({"text"})
    _optional = frozenset({"id", "args"})
    text: str
    id: str | None
    args: list[Arg] | None


class Reading(Object):
    """
    Reading is everything that front ends show of a session, already decided. A front end that needs arithmetic
    has found a missing field.
    """

    _required = frozenset({"schema", "session", "label", "agent", "agentVersion", "model", "workspace", "title", "branch", "parent", "mode", "basis", "pending", "activity", "waitingFor", "since", "used", "range", "limit", "free", "freeShare", "reserve", "percent", "limitSource", "lastRequest", "leaving", "new", "breakdown", "mcpServers", "largest", "compaction", "advice", "accuracy", "spent", "cache", "children", "warnings", "asOf", "display"})
    _optional = frozenset({"assumed", "similarModels", "unmeasured", "agentOwn", "host", "panel", "lines", "opening", "file", "allowance", "focus"})
    schema: Literal['ctx.reading/3']
    """"ctx.reading/3"."""
    session: str
    """the session's id"""
    label: str
    """its name for users"""
    agent: str
    agentVersion: str
    model: str
    workspace: str
    title: str
    """The agent's own title, or the user's name for it: one line of at most 200 bytes, "" without one."""
    branch: str
    """the branch that the agent works on, if its records show it"""
    parent: str | None
    """the parent's session id, for a sub-agent"""
    mode: Mode
    basis: Basis
    """The basis of used. Front ends print ~ for estimated and ? for unknown."""
    pending: bool
    """a request is waiting for its response"""
    activity: Activity
    """
    The agent's activity. The core sees only records; the daemon, which sees processes and has a clock, adds the
    rest.
    """
    waitingFor: Literal['approval', 'prompt', '']
    """while the agent waits: "approval", "prompt" or ""."""
    since: Time | None
    """when the activity began; for work, when the turn began"""
    used: int
    """Tokens the next request will occupy if it is sent now."""
    range: Span
    """the range of the next request"""
    limit: int | None
    """The largest prompt: the maximum input if it is known, otherwise the window."""
    free: int | None
    """
    Tokens free in the window: limit - used - reserve; may be negative. compaction.left is the rest up to the
    threshold.
    """
    freeShare: Hundredths | None
    """share of the window, like every share; never negative"""
    reserve: int
    """tokens kept for the response, if prompt and response share the window"""
    percent: Hundredths | None
    """used as a percentage of the limit, rounded half up; may exceed 100. null if the limit is unknown."""
    limitSource: LimitSource
    lastRequest: LastRequest | None
    """
    null before the first request and after a compaction; after an overflow, the refused prompt if the error gives
    its size.
    """
    leaving: Leaving
    new: NewItems
    assumed: int | None
    """Tokens of used that were neither measured nor appended; absent if 0."""
    breakdown: list[Row]
    """rows that add up to used, apart from deferred ones"""
    mcpServers: list[Server]
    """tokens of each server's tools, the largest first"""
    largest: list[LargeItem]
    """the ten largest entries of the conversation, by name"""
    compaction: Compaction
    advice: list[Advice]
    """things that the user can remove, the largest first"""
    accuracy: Accuracy
    spent: Spent
    cache: Cache
    """the provider's cache of the prompt"""
    children: list[Brief]
    """sub-agents, which have their own windows"""
    warnings: list[Text]
    """messages about problems"""
    similarModels: list[str] | None
    """Known models that resemble an unknown model, which a warning names; absent without any."""
    asOf: Time | None
    """time of the last event"""
    unmeasured: Text | None
    """Provider mode: why no measured percentage is shown, in a few words; absent if one is shown."""
    agentOwn: AgentOwn | None
    """What the agent itself shows of its window; absent if it shows nothing."""
    host: str | None
    """The program that runs the session for its agent, such as "VS Code Agent Host"; absent otherwise."""
    display: Display
    """the short texts that front ends print"""
    panel: Panel | None
    """Everything about the session in words, if the caller asked for it."""
    lines: dict[str, str] | None
    """The finished lines that ctx/watch requested."""
    opening: str | None
    """The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only."""
    file: str | None
    """the transcript that the session is read from"""
    allowance: Allowance | None
    """the account's limits, as reported by the agent on this machine"""
    focus: Focus | None
    """why it is the focused session; only from ctx/focus and ctx/focused"""


class Focus(Object):
    """Focus is the reason for choosing a session."""

    _required = frozenset({"reason", "because", "candidates"})
    _optional = frozenset()
    reason: Reason
    because: str
    """the reason, as a message"""
    candidates: list[str]
    """sessions that the focused agent may run, if uncertain"""


class Allowance(Object):
    """
    Allowance is how much of an account's limits is used, and until when the prompt cache is warm, as reported by
    the agent on this machine. No other source is asked.
    """

    _required = frozenset({"windows", "cacheUntil", "at"})
    _optional = frozenset({"cache"})
    windows: list[AllowanceWindow]
    """the shortest first"""
    cacheUntil: Time | None
    """null if the agent does not report it"""
    cache: AgentCache | None
    """the session's prompt cache by the agent's own account"""
    at: Time | None
    """when the agent reported it"""


class AgentCache(Object):
    """
    AgentCache is the prompt cache of a session by the agent's own account, which counts by rules of its own.
    Nothing is computed from it, and cache.breaks are not from it. A value is null if the agent does not report
    it.
    """

    _required = frozenset({"warm", "life", "requests", "misses", "expected", "hits", "written", "rewritten", "lastMiss", "lastCauses", "causes", "ifCold"})
    _optional = frozenset()
    warm: bool | None
    life: int | None
    """the lifetime in milliseconds"""
    requests: int | None
    """requests that it counts"""
    misses: int | None
    """of them, those that missed the cache"""
    expected: int | None
    """rebuilds that it expected, such as after a compaction"""
    hits: Hundredths | None
    """the part of the prompts that was read, in percent"""
    written: int | None
    """tokens written to the cache"""
    rewritten: int | None
    """tokens that misses wrote again"""
    lastMiss: Time | None
    """when the last miss was"""
    lastCauses: list[str]
    """its causes, in the agent's words"""
    causes: list[AgentCacheCause]
    """the misses by cause, the most frequent first"""
    ifCold: int | None
    """tokens that the next request would write if the cache were cold"""


class AgentCacheCause(Object):
    """AgentCacheCause is a cause of misses, in the agent's words, and their number."""

    _required = frozenset({"cause", "count"})
    _optional = frozenset()
    cause: str
    count: int


class AllowanceWindow(Object):
    """AllowanceWindow is one limit of an account."""

    _required = frozenset({"minutes", "percent", "resets"})
    _optional = frozenset()
    minutes: int
    """length in minutes: 300 is five hours, 10,080 a week"""
    percent: Hundredths
    """percentage used"""
    resets: Time | None
    """when it restarts"""


class Span(Object):
    """Span is the range that contains 90% of next requests, by the session's own errors."""

    _required = frozenset({"low", "high"})
    _optional = frozenset({"cause"})
    low: int
    high: int
    cause: Text | None
    """Why the range is wide, if the cause cannot be predicted; absent otherwise."""


class LastRequest(Object):
    """LastRequest is the last measured prompt and the part of its response that is in the next one."""

    _required = frozenset({"in", "percent", "cacheRead", "cacheWrite", "out", "reasoning", "carry", "carryBasis"})
    _optional = frozenset()
    in_: int
    """the whole prompt, cached or not"""
    percent: Hundredths | None
    cacheRead: int | None
    cacheWrite: int | None
    out: int | None
    reasoning: int | None
    carry: int
    """the part of the response that is in the next prompt"""
    carryBasis: Basis


class Leaving(Object):
    """Leaving is the part of the last prompt that will not be sent again."""

    _required = frozenset({"tokens", "reasons"})
    _optional = frozenset()
    tokens: int
    reasons: list[LeavingReason]


class LeavingReason(Object):
    """LeavingReason is one cause and its share."""

    _required = frozenset({"reason", "tokens"})
    _optional = frozenset()
    reason: Text
    tokens: int


class NewItems(Object):
    """NewItems are the items appended after the last measured prompt."""

    _required = frozenset({"tokens", "items", "basis"})
    _optional = frozenset()
    tokens: int
    items: int
    basis: Basis


class Row(Object):
    """Row is one row of the breakdown."""

    _required = frozenset({"kind", "label", "tokens", "share", "bar", "basis"})
    _optional = frozenset({"deferred"})
    kind: Kind
    label: Text
    tokens: int
    share: Hundredths | None
    """share of the window; null for a deferred row or an unknown window"""
    bar: Hundredths
    """length of its bar, in percent of the largest row's"""
    basis: Basis
    deferred: bool | None
    """listed, but neither in the window nor in the sum"""


class Server(Object):
    """
    Server is an MCP server of the session. It is known from its listed or called tools, or from the agent's
    configuration.
    """

    _required = frozenset({"name", "tools", "listed", "deferred", "neverCalled", "calls", "tokens", "basis", "switchOff", "text"})
    _optional = frozenset()
    name: str
    tools: int
    """number of tools known by name"""
    listed: bool
    """true if these are all; otherwise only called tools are known"""
    deferred: int
    """number of tools that are listed by name and loaded on demand"""
    neverCalled: int | None
    """Number of tools that were never called; null if not all tools are known."""
    calls: int
    """number of calls in the window"""
    tokens: int | None
    """tokens in every request; null if unknown"""
    basis: Basis
    switchOff: str
    """what switches it off, for this agent; "" if unknown"""
    text: Text
    """all of this as a message, for front ends"""


class Compaction(Object):
    """Compaction describes when the agent compacts, and at which threshold."""

    _required = frozenset({"rule", "since", "source", "threshold", "thresholdShare", "sources", "moved", "left", "leftShare", "percent", "level", "reached", "advised", "buffer", "bufferShare", "landing", "callsLeft", "turnsLeft", "hint", "count", "last"})
    _optional = frozenset({"thresholdFrom", "forecastFrom"})
    rule: str
    """name of the rule"""
    since: str
    """date from which it applies"""
    source: str
    """where it was found"""
    threshold: int | None
    """null without a rule or a window; at most limit - reserve"""
    thresholdShare: Hundredths | None
    """position of the threshold in a bar of the window, as a share"""
    thresholdFrom: Text | None
    """The source of the threshold and what it overrules; absent if the rule decides."""
    sources: list[ThresholdSource]
    """sources of the threshold, in order of precedence"""
    moved: ThresholdMove | None
    """The last change of the threshold during the session; null without one."""
    left: int | None
    """line - used"""
    leftShare: Hundredths | None
    """of the window; never negative"""
    percent: Hundredths | None
    """used as a percentage of the threshold"""
    level: Level
    """how near the threshold is; without one, how near the full window is"""
    reached: bool
    """used > threshold"""
    advised: bool
    """true if it is time to compact: from the level now on, a margin below the threshold"""
    buffer: int | None
    """tokens between the threshold and the limit"""
    bufferShare: Hundredths | None
    """share of the window"""
    landing: Landing | None
    callsLeft: Range | None
    """
    Requests until it compacts, otherwise until the window is full; null before three, unless earlier sessions
    show it.
    """
    turnsLeft: Range | None
    forecastFrom: Text | None
    """The source of the forecasts; absent for the session itself."""
    hint: Text
    """
    The next event: "compacts in ~5 requests", or "window full in ~12 requests" if nothing compacts; empty if
    unknown.
    """
    count: int
    """number of compactions"""
    last: Verdict | None
    """the last one; null before the first"""


class ThresholdMove(Object):
    """
    ThresholdMove is a change of the compaction threshold during a session, without what the agent counts
    differently.
    """

    _required = frozenset({"at", "call", "from", "to", "source", "text"})
    _optional = frozenset()
    at: Time | None
    call: int
    """number of the request before it"""
    from_: int
    to: int
    source: ThresholdSourceKind
    """the source of the new threshold"""
    text: Text
    """all of this as a message"""


class ThresholdSource(Object):
    """
    ThresholdSource is a source of the compaction threshold. The threshold of the source in force and what others
    add to it are together the one that is shown, unless several settings are in force together.
    """

    _required = frozenset({"source", "name", "setting", "value", "threshold", "adds", "state"})
    _optional = frozenset({"note"})
    source: ThresholdSourceKind
    name: Text
    """the name that front ends show"""
    setting: str
    """Name and value of a setting of the agent, as written; "" for other sources."""
    value: str
    threshold: int | None
    """the threshold that it gives alone; null if it gives none"""
    adds: int
    """tokens that it adds to the threshold in force; 0 unless it adjusts it"""
    state: ThresholdState
    note: Text | None
    """How its value is interpreted, or why it has no effect; absent otherwise."""


class Verdict(Object):
    """Verdict compares a compaction with the Reading before it. Its message leaves out unknown facts."""

    _required = frozenset({"at", "trigger", "before", "beforeBasis", "left", "leftBasis", "freed", "threshold", "source", "asPredicted", "thresholdNow", "loop", "text"})
    _optional = frozenset()
    at: Time | None
    trigger: CompactionTrigger
    before: int
    """size of the compacted prompt"""
    beforeBasis: Basis
    """The basis of before: measured if the agent records it."""
    left: int | None
    """the size of the next prompt without what the user added"""
    leftBasis: Basis
    """the basis of left: estimated until the next request is measured"""
    freed: int | None
    """before - left"""
    threshold: int | None
    """The compaction threshold that was shown before it; null without one."""
    source: ThresholdSourceKind | None
    """the source that decided it; null without a threshold"""
    asPredicted: Answer
    """
    Whether it happened at the threshold; unknown unless the agent compacted at a recorded size below a known
    threshold.
    """
    thresholdNow: int | None
    """the threshold from then on; null if it stayed"""
    loop: bool
    """this compaction and the one before each freed less than a fifth"""
    text: Text
    """all of this as a message"""


class Cache(Object):
    """Cache is the provider's cache of a session's prompt, as the transcript records it."""

    _required = frozenset({"back"})
    _optional = frozenset({"breaks"})
    back: Back | None
    """the cost of returning; null if the cache's lifetime is not recorded"""
    breaks: CacheBreaks | None
    """Requests that wrote to the cache again what the previous one had left there; absent without any."""


class Back(Object):
    """
    Back is the cost of returning to a session: until when the provider keeps its prompt in the cache, as recorded
    in the transcript, and how much the next prompt writes to the cache after that. Front ends compare the times
    with a clock.
    """

    _required = frozenset({"warmUntil", "coldFrom", "warnFrom", "cause", "life", "anew", "display", "kept", "compactsAt", "compactsTo", "compactFirst", "text"})
    _optional = frozenset({"compactsText", "firstText"})
    warmUntil: int
    """until then, the next prompt is read from the cache"""
    coldFrom: int
    """From then on, it is written again. Between warmUntil and coldFrom, either may happen."""
    warnFrom: int
    """when the last fifth of the cache's lifetime begins; warmUntil if it is cold for another reason"""
    cause: BackCause
    """the reason why it becomes cold"""
    life: int
    """the cache's lifetime in milliseconds"""
    anew: int
    """tokens that the next prompt writes to the cache once it is cold"""
    display: Literal['441k']
    """anew as front ends print it: "441k"."""
    kept: int
    """the fixed context that is still read then; after hours it has often expired"""
    compactsAt: Time | None
    """When the agent compacts the session if it stays idle, and the size after that; null if it does not."""
    compactsTo: int | None
    compactFirst: int | None
    """tokens that the first prompt after a compaction writes to the cache; null if unknown"""
    text: Text
    """the cost of a cold cache in a clause"""
    compactsText: Text | None
    """the agent's own compaction in a clause; absent if it does not compact"""
    firstText: Text | None
    """The cost after a compaction before the next prompt, in a clause; absent if unknown or not smaller."""


class CacheBreaks(Object):
    """
    CacheBreaks are the requests of a session that wrote to the cache again what the previous request had left
    there.
    """

    _required = frozenset({"count", "written", "last", "text"})
    _optional = frozenset()
    count: int
    written: int
    """tokens that they wrote again, in all"""
    last: DetailedBreak
    text: Text
    """the two numbers in a clause"""


class DetailedBreak(Object):
    """DetailedBreak is one break of the cache, with its cause in words."""

    _required = frozenset({"at", "call", "cause", "recorded", "written", "unread", "kept", "causeText", "text"})
    _optional = frozenset()
    at: Time | None
    """when the request was answered"""
    call: int
    """the request's number in the session"""
    cause: BreakCause
    """why the cache broke"""
    recorded: bool
    """the provider or the agent named the cause; otherwise it is inferred"""
    written: int
    """tokens written again, without the growth of the conversation"""
    unread: bool
    """the provider reports no writes, so written is only what was not read from the cache"""
    kept: int
    """tokens that were still read from the cache"""
    causeText: Text
    """the cause in a clause"""
    text: Text
    """the cause and the tokens written again"""


class Landing(Object):
    """Landing is the range of tokens that a compaction is expected to leave."""

    _required = frozenset({"low", "high"})
    _optional = frozenset()
    low: int
    high: int


class Range(Object):
    """Range is a forecast with its 80% interval."""

    _required = frozenset({"low", "likely", "high"})
    _optional = frozenset()
    low: int
    likely: int
    high: int


class Advice(Object):
    """Advice is something that the user can remove."""

    _required = frozenset({"action", "label", "tokens", "basis", "atMost", "items", "breaksCache"})
    _optional = frozenset({"how"})
    action: str
    label: Text
    tokens: int
    """tokens freed"""
    basis: Basis
    """basis of the tokens"""
    atMost: bool
    """less may be freed"""
    items: int
    how: Text | None
    """how to follow it: a message, or a command of the agent"""
    breaksCache: bool


class Accuracy(Object):
    """Accuracy is the session's own record of its predictions."""

    _required = frozenset({"last", "ratio", "medianTokens", "p95Tokens", "p95Percent", "steps"})
    _optional = frozenset()
    last: Miss | None
    ratio: Hundredths
    """actual size of estimated texts divided by their estimates, as learned so far"""
    medianTokens: int | None
    p95Tokens: int | None
    p95Percent: Hundredths | None
    steps: int


class Miss(Object):
    """Miss is one prediction and its measurement."""

    _required = frozenset({"predicted", "actual", "error", "percent"})
    _optional = frozenset({"cause"})
    predicted: int
    actual: int
    error: int
    """predicted - actual"""
    percent: Hundredths
    cause: Text | None
    """the likely cause of an error of more than one percent"""


class Spent(Object):
    """Spent is the total of all requests. Cached tokens are included in in. It does not describe the window."""

    _required = frozenset({"calls", "in", "out", "cacheRead", "cacheWrite", "reasoning", "total", "effective"})
    _optional = frozenset()
    calls: int
    in_: int
    out: int
    cacheRead: int
    cacheWrite: int
    reasoning: int
    total: int
    """in + out"""
    effective: int
    """
    The total weighted by cost, in tokens of plain input: a cache read is 0.1, a write 1.25, or 2 if kept for an
    hour.
    """


class AgentOwn(Object):
    """AgentOwn is what the agent itself shows of its window, by its own formula."""

    _required = frozenset({"percent"})
    _optional = frozenset({"label", "counts"})
    percent: Hundredths | None
    """null if it prints none"""
    label: Text | None
    """the label of percent"""
    counts: Text | None
    """its own count, as a message; not part of breakdown"""


class Display(Object):
    """Display holds the short texts of a Reading. No front end rounds numbers itself."""

    _required = frozenset({"number", "mark", "percent", "used", "limit", "free", "left", "percentLeft", "threshold", "thresholdPercent", "thresholdPercentLeft", "bar"})
    _optional = frozenset()
    number: str
    """The fullness as every front end prints it: "~81%", with ~ if estimated; tokens if the limit is unknown."""
    mark: str
    """
    "~" estimated, "≥" only a part is known, "!" older than data that is not read (yet), "?" unknown, ""
    otherwise
    """
    percent: str
    used: str
    limit: str
    free: str
    """tokens free in the window, after the reserve"""
    left: str
    """
    tokens left until it compacts; "" if nothing compacts; free and what is left begin with "≤" if mark is
    "≥".
    """
    percentLeft: str
    threshold: str
    """the compaction threshold in tokens; "" if nothing compacts"""
    thresholdPercent: str
    thresholdPercentLeft: str
    bar: str


class Brief(Object):
    """Brief is a short description of a sub-agent, inside a Reading."""

    _required = frozenset({"session", "label", "agent", "model", "workspace", "title", "branch", "parent", "used", "limit", "percent", "level", "basis", "pending", "activity", "waitingFor", "since", "asOf", "children", "display"})
    _optional = frozenset()
    session: str
    label: str
    agent: str
    model: str
    workspace: str
    title: str
    branch: str
    parent: str | None
    used: int
    limit: int | None
    percent: Hundredths | None
    level: Level
    basis: Basis
    pending: bool
    activity: Activity
    waitingFor: str
    since: Time | None
    asOf: Time | None
    children: list[Brief]
    display: Display


class ListedSession(Object):
    """
    ListedSession is a short description of a session in the list of ctx/sessions, where sub-agents have their own
    entries.
    """

    _required = frozenset({"session", "label", "agent", "model", "workspace", "title", "branch", "parent", "used", "limit", "percent", "level", "basis", "pending", "activity", "waitingFor", "since", "asOf", "children", "display"})
    _optional = frozenset()
    session: str
    label: str
    agent: str
    model: str
    workspace: str
    title: str
    branch: str
    parent: str | None
    used: int
    limit: int | None
    percent: Hundredths | None
    level: Level
    basis: Basis
    pending: bool
    activity: Activity
    waitingFor: str
    since: Time | None
    asOf: Time | None
    children: list[str]
    display: Display


class Panel(Object):
    """
    Panel is everything about a session in the order in which one reads it, in words. Front ends draw it row by
    row and decide nothing.
    """

    _required = frozenset({"sections"})
    _optional = frozenset()
    sections: list[PanelSection]


class PanelSection(Object):
    """PanelSection is a part of a panel. A front end may fold it."""

    _required = frozenset({"id", "title", "rows"})
    _optional = frozenset({"only"})
    id: str
    title: Text
    only: PanelForm | None
    """the form that has the section; absent for both"""
    rows: list[PanelRow]


class PanelRow(Object):
    """PanelRow is one fact, or one part of the window."""

    _required = frozenset({"id"})
    _optional = frozenset({"label", "value", "short", "note", "only", "tone", "share", "bar", "mark", "kind", "depth", "session", "place", "action", "dated"})
    id: str
    """the fact's name, the same in every panel"""
    label: Text | None
    """absent if the row continues the one before"""
    value: Text | None
    """absent for a dated row"""
    short: Text | None
    """the value in the short form, if it differs"""
    note: Text | None
    """follows the value"""
    only: PanelForm | None
    """The form that has the row; absent for both."""
    tone: Tone | None
    """absent for plain"""
    share: Hundredths | None
    """share of the window"""
    bar: Hundredths | None
    """length of its bar, in percent of the longest"""
    mark: Hundredths | None
    """The compaction threshold's position in the bar of the window, which has the length share."""
    kind: str | None
    """of a part of the window: a Kind of the breakdown"""
    depth: int | None
    """of a sub-agent: how many are above it"""
    session: str | None
    """the session that the row opens"""
    place: int | None
    """the line of the transcript that the row opens"""
    action: str | None
    """the advice's action, which a front end may offer"""
    dated: list[Dated] | None
    """Values that depend on the time: the last one that has begun applies. The row is absent before the first."""


class Dated(Object):
    """Dated is the value of a row from a time on."""

    _required = frozenset({"from"})
    _optional = frozenset({"value", "at", "as"})
    from_: Time
    value: Text | None
    """absent if the row is absent from then on"""
    at: Time | None
    """the time that replaces the first {time} in value"""
    as_: TimeForm | None
    """how that time is written"""


class HostRow(TypedDict):
    """
    HostRow is a row of the host's own, such as a session nearby. One with the id of a row takes its place, and
    removes it if it has no value. The rows host, opening and transcript have their places.
    """
    id: str
    section: NotRequired[str]
    """for a row of a new id"""
    label: NotRequired[Sentence]
    value: NotRequired[Sentence]
    note: NotRequired[Sentence]
    tone: NotRequired[Tone]
    session: NotRequired[str]
    place: NotRequired[int | None]
    action: NotRequired[str]


class Limits(TypedDict):
    """
    Limits are the three numbers of a model's window, as known by the user. They take precedence over all other
    sources. A window or an input of 0 is an error, and an output of 0 is unknown. In an update, a missing number
    stays unchanged, and null withdraws it.
    """
    window: NotRequired[int | None]
    input: NotRequired[int | None]
    output: NotRequired[int | None]
    withheld: NotRequired[bool]
    """The window depends on something unknown to the host, such as a plan: unknown until one is set or withdrawn."""


class Rule(TypedDict):
    """Rule is a compaction rule. If several are set, the lowest threshold applies."""
    percent: NotRequired[Hundredths | None]
    """share of the limit"""
    reserve: NotRequired[int | None]
    """Output reserve: the maximum output, but at most this; 0 means 32,000."""
    target: NotRequired[int | None]
    """With reserve: size after compaction, counted down from the window, or 80% of a window no larger than that."""
    threshold: NotRequired[int | None]
    """a fixed number of tokens"""


class OpenParams(TypedDict):
    """OpenParams are the parameters of ctx/session/open."""
    id: NotRequired[str]
    scope: NotRequired[str]
    """the id's scope: a host with several clients gives each its own; the daemon refuses it"""
    agent: NotRequired[str]
    """The agent, which sets the compaction rule and the window table; default generic."""
    agentVersion: NotRequired[str]
    model: NotRequired[str]
    """as models.dev spells it, or a usual alias"""
    provider: NotRequired[str]
    """as models.dev spells it, or a usual alias"""
    route: NotRequired[str]
    """chat, responses, copilot, ...: decides how reasoning is sent again"""
    workspace: NotRequired[str]
    checkout: NotRequired[str]
    """the session's own checkout of workspace"""
    mode: NotRequired[Mode]
    """default hybrid"""
    limits: NotRequired[Limits | None]
    reserve: NotRequired[int | None]
    """tokens kept for the response"""
    rule: NotRequired[RuleChoice]
    """default the agent's own"""
    reasoning: NotRequired[ReasoningMode]
    """learned if absent"""
    parent: NotRequired[str]
    """the parent's session id: of the same scope, or of none"""
    label: NotRequired[str]
    """its name for users"""
    title: NotRequired[str]
    """the agent's own title of the session; never a prompt"""
    branch: NotRequired[str]
    """the branch that the agent works on"""
    settings: NotRequired[Mapping[str, str]]
    """
    The agent's own environment variables and settings that affect its threshold, by their own names. Others are
    dropped.
    """
    complete: NotRequired[bool]
    """
    The host sends everything, fixed rows and items: rows estimated too short are scaled up to the measured
    prompt.
    """
    tail: NotRequired[bool]
    """The records begin within the conversation, so what its first prompt contained is unknown."""
    hidePaths: NotRequired[bool]
    """Show only the last element of file paths."""
    heldBy: NotRequired[int | None]
    """The process that runs the session and has its saved ledger, so that its past is unknown; 0 if unknown."""
    setAside: NotRequired[bool]
    """The session's saved ledger is missing or cannot be restored, so its past is unknown."""
    at: NotRequired[Time | None]
    panel: NotRequired[bool]
    """Add the panel to every Reading of the session, with these rows of the host."""
    rows: NotRequired[Sequence[HostRow]]
    strict: NotRequired[bool]
    """An unknown model or provider is an error, whose data.known has the names that resemble it."""
    key: NotRequired[str]
    """The secret key of the saved digests of messages. Without one, none are saved."""
    shared: NotRequired[bool]
    """the session has no owner: every client may join it"""
    resume: NotRequired[bool]
    """continue from the saved ledger of this id, if there is one"""


class Item(TypedDict):
    """
    Item is one piece of a conversation, with its text or its tokens. Tokens are taken as they are; the constants
    of the model's framing are added only to a text.
    """
    kind: Kind
    """Its row: user assistant toolCalls toolResults reasoning media summary documents memory system; or developer."""
    text: NotRequired[Body]
    tokens: NotRequired[int | None]
    label: NotRequired[str]
    """for lists"""
    name: NotRequired[str]
    """name of the tool, for lists"""
    what: NotRequired[SubjectKind]
    """
    The kind of its subject, for lists: with file, command, url, mcp, agent or skill, name is the path, command or
    tool.
    """
    subject: NotRequired[str]
    mediaType: NotRequired[str]
    width: NotRequired[int | None]
    height: NotRequired[int | None]
    pages: NotRequired[int | None]
    seconds: NotRequired[int | None]
    error: NotRequired[bool]
    """marks a failed tool result"""
    reply: NotRequired[bool | None]
    """false: no request of this session produced it"""
    opaque: NotRequired[int | None]
    """length of a signed or encrypted block"""
    providerMetadata: NotRequired[Foreign]
    """For reasoning, as in the AI SDK: the longest string in it is used as opaque."""
    parameters: NotRequired[int | None]
    """number of parameters of a tool call"""
    hidden: NotRequired[bool]
    """sent, but not shown to the user"""
    wrapping: NotRequired[int | None]
    """How many tokens are sent around the text, in addition to the constants of the model's framing."""


class Part(TypedDict):
    """Part is a piece of a fixed row, with its text or its tokens."""
    text: NotRequired[Body]
    tokens: NotRequired[int | None]
    label: NotRequired[str]
    deferred: NotRequired[bool]
    """listed, but not in the window until it is loaded"""
    ephemeral: NotRequired[bool]
    """For memory: it comes with its turn and leaves with it, like documents."""


class Replacement(TypedDict):
    """Replacement replaces an item with another."""
    index: int
    item: Item
    reason: NotRequired[str]


class Loaded(TypedDict):
    """
    Loaded is the content that an agent loads automatically when a session begins: the texts of memory files, and
    its lists of skills and agents. Each is an array of Parts, which replaces the previous one.
    """
    memory: NotRequired[Content]
    skills: NotRequired[Content]
    agents: NotRequired[Content]
    servers: NotRequired[Sequence[str]]
    """MCP servers in the agent's configuration"""
    serversChanged: NotRequired[Time | None]
    """When servers' configuration and memory files changed, for agents that reread them without a record."""
    memoryChanged: NotRequired[Time | None]
    unknown: NotRequired[Sequence[Sentence]]
    """messages about content that could not be found, and why"""


class RecordsAnswer(Object):
    """RecordsAnswer is the result of ctx/session/records with steps or wanted."""

    _required = frozenset({"steps", "wanted"})
    _optional = frozenset({"reading"})
    reading: Reading | None
    steps: list[Step]
    wanted: list[WantedFile]


class WantedFile(Object):
    """WantedFile is a file that the agent uses, with content that it sends without a record."""

    _required = frozenset({"path", "use", "at", "sent"})
    _optional = frozenset()
    path: str
    """as written in the record, perhaps relative to the workspace"""
    use: str
    """
    mentioned by the user; read, readInPart or written by the agent; forgotten, without a path, if all were
    removed.
    """
    at: Time | None
    """time of the record"""
    sent: bool
    """set if a prompt that contains it was measured since"""


class Step(Object):
    """Step is one prediction and its measurement."""

    _required = frozenset({"session", "model", "call", "kind", "predicted", "low", "high", "actual", "redacted", "texts", "held", "error", "percent", "turn", "landing", "forecasts"})
    _optional = frozenset({"return", "cacheBreak"})
    session: str
    model: str
    call: int
    kind: str
    """tool, user, resume, compaction or model"""
    predicted: int
    low: int
    """low and high: the range that was given, which contains 90% of steps"""
    high: int
    actual: int
    redacted: bool
    """a new text had been redacted in the transcript"""
    texts: int
    """in the tool loop: tokens of new texts before any correction; 0 if anything else was estimated"""
    held: int
    """the size of these texts in the request"""
    error: int
    """predicted - actual"""
    percent: Hundredths
    """percentage of the measured size"""
    turn: int
    landing: Range | None
    """Landing is the predicted size after a compaction, for the first request after it."""
    forecasts: list[Forecast]
    """forecasts made after this request was measured"""
    return_: Return | None
    """set for the first request after a pause"""
    cacheBreak: CacheBreak | None
    """set if the request wrote to the cache again what the previous one had left there"""


class CacheBreak(Object):
    """CacheBreak is a request that wrote to the cache again what the previous request had left there."""

    _required = frozenset({"request", "at", "call", "cause", "recorded", "written", "unread", "kept"})
    _optional = frozenset()
    request: str
    """the id of the response; "" if it is not kept"""
    at: Time | None
    """when it was answered"""
    call: int
    cause: str
    """time, compaction, messages, model, effort, tools, system, process, provider or unknown"""
    recorded: bool
    """the provider or the agent named the cause"""
    written: int
    """tokens written again, without the growth of the conversation"""
    unread: bool
    """the provider reports no writes, so written is only what was not read from the cache"""
    kept: int
    """tokens read from the cache"""


class Return(Object):
    """Return compares the first request after a pause of more than five minutes with the forecast before it."""

    _required = frozenset({"back", "used", "pause", "sent", "read", "wrote", "cold", "compacted"})
    _optional = frozenset()
    back: Back
    """the forecast"""
    used: int
    """the prompt size it was made for"""
    pause: int
    """since the last request, in milliseconds"""
    sent: Time | None
    """when the request was sent"""
    read: int
    """tokens that it read from the cache"""
    wrote: int
    """the rest of its prompt"""
    cold: bool
    """it did not read the conversation"""
    compacted: bool
    """the conversation was compacted in the pause"""


class Forecast(Object):
    """Forecast is how many calls and turns were predicted to fit below a threshold."""

    _required = frozenset({"threshold", "calls", "turns"})
    _optional = frozenset()
    threshold: int
    calls: Range
    turns: Range


class SessionsAnswer(Object):
    """SessionsAnswer is the result of ctx/sessions."""

    _required = frozenset({"sessions"})
    _optional = frozenset()
    sessions: list[ListedSession]


class HistoryAnswer(Object):
    """HistoryAnswer is the history of a session."""

    _required = frozenset({"points", "compactions", "verdicts", "moves", "breaks", "threshold", "limit"})
    _optional = frozenset()
    points: list[HistoryPoint]
    compactions: list[HistoryCompaction]
    verdicts: list[Verdict]
    """the last 20 compactions, the oldest first"""
    moves: list[ThresholdMove]
    """the last 20 changes of the threshold, the oldest first"""
    breaks: list[DetailedBreak]
    """the last 64 breaks of the cache, the oldest first"""
    threshold: int | None
    limit: int | None


class HistoryPoint(Object):
    """HistoryPoint is one measured prompt."""

    _required = frozenset({"at", "call", "used", "percent"})
    _optional = frozenset()
    at: Time | None
    call: int
    used: int
    percent: Hundredths | None
    """share of the present limit"""


class HistoryCompaction(Object):
    """HistoryCompaction is one compaction."""

    _required = frozenset({"at", "call", "before", "after", "trigger"})
    _optional = frozenset()
    at: Time | None
    call: int
    before: int | None
    after: int | None
    trigger: Trigger


class ItemsAnswer(Object):
    """ItemsAnswer lists the largest entries: all items with the same name, or one item without a name."""

    _required = frozenset({"items", "total"})
    _optional = frozenset()
    items: list[LargeItem]
    total: int
    """number of items in the conversation"""


class FitsAnswer(Object):
    """FitsAnswer describes the next request with the parts added."""

    _required = frozenset({"tokens", "basis", "used", "limit", "percent", "free", "threshold", "thresholdPercent", "left", "level", "parts", "fewer", "text"})
    _optional = frozenset({"phrase"})
    tokens: int
    """tokens added by the parts and the frame of their message"""
    basis: Basis
    """basis of tokens"""
    used: int
    """size of the next request with the parts"""
    limit: int | None
    percent: Hundredths | None
    """used as a percentage of the limit"""
    free: int | None
    threshold: int | None
    """the compaction threshold"""
    thresholdPercent: Hundredths | None
    """used as a percentage of the threshold"""
    left: int | None
    level: Level
    """now or over: the agent compacts"""
    parts: list[FitsPart]
    """the largest first"""
    fewer: Fewer | None
    """the next request with only the parts that fit; null if all fit, and if none does"""
    phrase: Phrase | None
    """the text as a phrase, if phrases were asked for"""
    text: str
    """the result in one line, for users"""


class FitsPart(Object):
    """FitsPart is one of the texts of ctx/session/fits."""

    _required = frozenset({"label", "tokens", "basis"})
    _optional = frozenset({"leftOut"})
    label: str
    tokens: int
    basis: Basis
    leftOut: bool | None
    """would have to be left out; fewer describes the rest"""


class Fewer(Object):
    """Fewer describes the next request without the parts that are left out."""

    _required = frozenset({"tokens", "used", "percent", "thresholdPercent", "level"})
    _optional = frozenset()
    tokens: int
    """tokens added by the other parts"""
    used: int
    percent: Hundredths | None
    thresholdPercent: Hundredths | None
    level: Level


class LargeItem(Object):
    """LargeItem is one of the largest entries of a conversation, with its name and size, not its text."""

    _required = frozenset({"index", "kind", "what", "label", "times", "tokens", "basis", "share", "bar", "place"})
    _optional = frozenset()
    index: int
    """index of its largest item"""
    kind: Kind
    """kind of its largest item"""
    what: SubjectKind
    """the kind of its subject"""
    label: Text
    """its name: Read src/api.go, Bash npm test, mcp:github get_issue"""
    times: int
    """how often it was called, read or shown"""
    tokens: int
    basis: Basis
    share: Hundredths | None
    """share of the window"""
    bar: Hundredths
    """length of its bar, in percent of the largest one's"""
    place: int | None
    """the transcript line of its largest item, if known"""


class SaveAnswer(Object):
    """SaveAnswer is the result of ctx/session/save."""

    _required = frozenset({"ledger"})
    _optional = frozenset()
    ledger: Ledger


class Ledger(Object):
    """Ledger is a saved session: counts, labels and the title, no other text."""

    _required = frozenset({"schema", "session", "settings", "names", "state"})
    _optional = frozenset({"parent", "reader"})
    schema: str
    """ctx.ledger/ and a fingerprint of the saved state; ledgers of other builds are not restored"""
    session: str
    parent: str | None
    """for hosts that keep parents and sub-agents together"""
    settings: dict[str, str]
    names: list[str]
    state: str
    """base64"""
    reader: ReaderState | None
    """only if the session is read from a transcript"""


class ReaderState(Object):
    """
    ReaderState is what the reader of a transcript remembers of earlier records: counts, ids, hashes and labels,
    at most 128 KiB. A larger state is left out.
    """

    _required = frozenset({"agent", "format", "names", "state"})
    _optional = frozenset()
    agent: str
    format: str
    """a fingerprint of the state that the agent's readers save"""
    names: list[str]
    state: str
    """base64"""


DocumentChange = TypedDict(
    "DocumentChange",
    {
        "from": "NotRequired[int | None]",
        "to": "NotRequired[int | None]",
        "text": "Body",
    },
)
"""DocumentChange replaces bytes of the text, or all of it if from and to are absent."""


class ImportTarget(TypedDict):
    """
    ImportTarget is the target of an import: the document that the host opened for it, or the reason why there is
    none.
    """
    target: str
    id: NotRequired[str]
    problem: NotRequired[ImportProblem]


ShowOptions = TypedDict(
    "ShowOptions",
    {
        "view": "NotRequired[bool | None]",
        "sections": "NotRequired[bool | None]",
        "from": "NotRequired[int | None]",
        "to": "NotRequired[int | None]",
        "findings": "NotRequired[bool | None]",
        "budget": "NotRequired[DocumentBudget | None]",
        "with": "NotRequired[Sequence[str]]",
        "draw": "NotRequired[Sequence[DrawnPart]]",
        "units": "NotRequired[TextUnits]",
        "plain": "NotRequired[bool | None]",
        "phrases": "NotRequired[bool | None]",
    },
)
"""ShowOptions set which parts of a view are returned."""


class DocumentBudget(TypedDict):
    """
    DocumentBudget is how many tokens a file may have, its imports included, before it gets a finding; 0 for no
    limit.
    """
    always: NotRequired[int | None]
    """limit for content that is in every request"""
    loaded: NotRequired[int | None]
    """limit for the rest"""


class DocumentView(Object):
    """DocumentView is a prompt file and its size. Positions are byte offsets."""

    _required = frozenset({"schema", "id", "path", "kind", "title", "agent", "model", "modelChosen", "load", "tokens", "basis", "listed", "imported", "files", "total", "share", "limit", "limitOf", "sections", "sectionCount", "imports", "findings", "display"})
    _optional = frozenset({"drawn"})
    schema: Literal['ctx.document/1']
    """"ctx.document/1"."""
    id: str
    path: str
    kind: str
    title: str
    agent: str
    """the agent whose loading rules apply"""
    model: str
    """the model that it is counted for"""
    modelChosen: bool
    load: DocumentLoad
    tokens: int
    """tokens of the file itself"""
    basis: Basis
    listed: int
    """tokens of the description that is loaded before the rest"""
    imported: int
    """tokens of all imported files, each counted once"""
    files: int
    """number of imported files"""
    total: int
    """tokens + imported"""
    share: Hundredths | None
    """share of the limit"""
    limit: int | None
    """limit of the window; null if unknown"""
    limitOf: LimitOf
    sections: list[Section]
    """the requested sections"""
    sectionCount: int
    """number of all sections"""
    imports: list[DocumentImport]
    findings: list[Finding]
    display: DocumentDisplay
    drawn: Drawn | None
    """only if draw was given"""


class DocumentLoad(Object):
    """DocumentLoad describes when an agent loads the file."""

    _required = frozenset({"when", "globs", "why"})
    _optional = frozenset()
    when: Literal['always', 'path', 'demand']
    """"always", "path" or "demand"."""
    globs: list[str]
    """patterns of the paths that it is loaded for"""
    why: str
    """the reason, as a message"""


class Section(Object):
    """Section is a heading and the text below it."""

    _required = frozenset({"title", "level", "from", "to", "end", "own", "tokens", "display", "ownDisplay"})
    _optional = frozenset()
    title: str
    level: int
    from_: int
    """start of the heading's line"""
    to: int
    end: int
    """end of the section, with those below it"""
    own: int
    """tokens up to the next heading"""
    tokens: int
    """tokens with the sections below it"""
    display: str
    ownDisplay: str


class DocumentImport(Object):
    """DocumentImport is a reference to another file, and the tokens that it adds."""

    _required = frozenset({"target", "from", "to", "id", "problem", "tokens", "all", "display"})
    _optional = frozenset()
    target: str
    from_: int
    to: int
    id: str
    """the document that it leads to"""
    problem: str
    """missing, outside, tooLarge, unreadable, circular, tooDeep or repeated"""
    tokens: int
    all: int
    """tokens with its own imports"""
    display: str


class Finding(Object):
    """Finding is a problem in a prompt file."""

    _required = frozenset({"from", "to", "severity", "code", "message"})
    _optional = frozenset({"phrase", "other"})
    from_: int
    to: int
    severity: int
    """as in LSP: 1 error, 2 warning, 3 information, 4 hint"""
    code: str
    message: str
    phrase: Phrase | None
    """the message as a phrase, if phrases were asked for"""
    other: OtherFinding | None


class OtherFinding(Object):
    """OtherFinding is another location that a finding concerns, in this or another document."""

    _required = frozenset({"id", "from", "to", "message"})
    _optional = frozenset({"phrase"})
    id: str
    from_: int
    to: int
    message: str
    phrase: Phrase | None


class DocumentDisplay(Object):
    """DocumentDisplay holds the short texts of a view."""

    _required = frozenset({"mark", "tokens", "imported", "total", "listed", "share", "limit"})
    _optional = frozenset()
    mark: str
    """"~" estimated, "" otherwise"""
    tokens: str
    imported: str
    total: str
    listed: str
    share: str
    limit: str


class Drawn(Object):
    """
    Drawn contains the texts that an editor draws in a prompt file, finished and in English, with their positions.
    Parts that were not requested are absent.
    """

    _required = frozenset()
    _optional = frozenset({"lenses", "hints", "hovers", "links", "diagnostics", "breakdown", "breakdownPhrase"})
    lenses: list[DocumentLens] | None
    hints: list[DocumentHint] | None
    hovers: list[DocumentHover] | None
    """the first one that contains a position is shown"""
    links: list[DocumentLink] | None
    diagnostics: list[DocumentDiagnostic] | None
    breakdown: str | None
    """the whole file, in Markdown"""
    breakdownPhrase: Phrase | None
    """the breakdown as a phrase"""


class TextPosition(Object):
    """TextPosition is a position in a text: a line and a character in it, from 0."""

    _required = frozenset({"line", "character"})
    _optional = frozenset()
    line: int
    character: int
    """in the requested unit"""


class TextRange(Object):
    """TextRange is the text between two positions."""

    _required = frozenset({"start", "end"})
    _optional = frozenset()
    start: TextPosition
    end: TextPosition


class DocumentLens(Object):
    """DocumentLens is a line above the text: the file's size, and when it is loaded."""

    _required = frozenset({"range", "title"})
    _optional = frozenset({"phrase"})
    range: TextRange
    title: str
    phrase: Phrase | None
    """the title as a phrase, if phrases were asked for"""


class DocumentHint(Object):
    """DocumentHint appears after a heading, or after a line that imports."""

    _required = frozenset({"position", "label", "tooltip"})
    _optional = frozenset({"phrase"})
    position: TextPosition
    label: str
    tooltip: str
    phrase: Phrase | None
    """the tooltip as a phrase"""


class DocumentHover(Object):
    """DocumentHover is a hover for a range of the text."""

    _required = frozenset({"range", "text"})
    _optional = frozenset({"phrase"})
    range: TextRange
    text: str
    """Markdown that shows names as plain text; no Markdown with plain"""
    phrase: Phrase | None
    """the text as a phrase"""


class DocumentLink(Object):
    """DocumentLink is a link to an imported document."""

    _required = frozenset({"range", "id", "tooltip"})
    _optional = frozenset({"phrase"})
    range: TextRange
    id: str
    """the document that it leads to"""
    tooltip: str
    phrase: Phrase | None
    """the tooltip as a phrase"""


class DocumentDiagnostic(Object):
    """DocumentDiagnostic is a Finding with its range."""

    _required = frozenset({"range", "severity", "code", "message"})
    _optional = frozenset({"phrase", "related"})
    range: TextRange
    severity: int
    """as in LSP"""
    code: str
    message: str
    phrase: Phrase | None
    """the message as a phrase"""
    related: DocumentReference | None


class DocumentReference(Object):
    """DocumentReference is another location that a diagnostic concerns."""

    _required = frozenset({"id", "range", "message"})
    _optional = frozenset({"phrase"})
    id: str
    """the document's ID"""
    range: TextRange
    message: str
    phrase: Phrase | None
    """the message as a phrase"""


class ExactCount(TypedDict):
    """
    ExactCount is a request that the provider itself should count, because the user asked for it. Only the daemon
    supports it, and only this uses a network.
    """
    api: str
    """anthropic, openai, gemini, bedrock, vllm, llama.cpp, ..."""
    model: NotRequired[str]
    """replaces the request's"""
    request: Foreign
    """the body that would be sent"""
    baseUrl: NotRequired[str]
    """a server on this machine, without a path; it gets no key"""
    session: NotRequired[str]
    """the session that the result calibrates"""
    through: NotRequired[int | None]
    """how many of its items the request contains"""


class CountAnswer(Object):
    """CountAnswer is the result of ctx/count."""

    _required = frozenset({"tokens", "basis", "encoding"})
    _optional = frozenset({"note", "notePhrase", "similarModels", "texts", "boundaries"})
    tokens: int
    basis: Basis
    encoding: str
    """"" if the model has no public one"""
    note: str | None
    """why the count is an estimate: a doubt about the vocabulary, or an unknown model"""
    notePhrase: Phrase | None
    """the same as a phrase"""
    similarModels: list[str] | None
    """Known models that resemble an unknown one; absent without any."""
    texts: list[int] | None
    """the count of each of several texts"""
    boundaries: list[int] | None
    """ends of tokens, in bytes of text"""


class ExactAnswer(Object):
    """ExactAnswer is the result of ctx/count for an exact count."""

    _required = frozenset({"api", "tokens", "basis"})
    _optional = frozenset({"model", "window", "original", "cached", "note", "reading"})
    api: str
    model: str | None
    tokens: int
    basis: Basis
    """estimated if the provider's count covers text only"""
    window: int | None
    """only if the provider reports it"""
    original: int | None
    """size before the provider's own context editing"""
    cached: int | None
    note: str | None
    reading: Reading | None
    """Reading of the calibrated session"""


class ModelsAnswer(Object):
    """ModelsAnswer is the result of ctx/models."""

    _required = frozenset({"models"})
    _optional = frozenset()
    models: list[Model]


class Model(Object):
    """Model is a model in the registry."""

    _required = frozenset({"id", "provider", "window", "input", "output", "sharing", "encoding", "family", "reasoning", "source", "date"})
    _optional = frozenset()
    id: str
    provider: str
    window: int | None
    input: int | None
    output: int | None
    sharing: Literal['shared', 'separate']
    """"shared" or "separate"."""
    encoding: str
    """"" if it is not public"""
    family: str
    """family of tokenizers"""
    reasoning: str
    source: str
    """where the numbers were found"""
    date: str
    """when they were found"""


class LearnedAnswer(Object):
    """LearnedAnswer is the result of ctx/learned/get."""

    _required = frozenset({"learned"})
    _optional = frozenset()
    learned: Learned


class Learned(Object):
    """
    Learned are the corrections learned from earlier and open sessions, for the host to store. They contain no
    text.
    """

    _required = frozenset({"lessons", "limits"})
    _optional = frozenset()
    lessons: list[Lesson]
    """the oldest first"""
    limits: list[LimitsLesson]
    """limits shown by sessions"""


class LimitsLesson(Object):
    """
    LimitsLesson is the compaction threshold, the window, the reserve and the size after a compaction as shown by
    sessions: those with the same agent, version up to its second number, model and workspace.
    """

    _required = frozenset({"key", "agent", "model", "rule", "limit", "compacted", "refuted", "base", "window", "input", "reserve", "landings", "sessions", "last", "at"})
    _optional = frozenset()
    key: str
    """a fingerprint of the kind"""
    agent: str
    model: str
    rule: int | None
    """The rule's threshold and the limit, which are the settings that the rest belongs to."""
    limit: int | None
    compacted: int
    """the smallest prompt that the agent compacted automatically; 0 without one"""
    refuted: bool
    """requests passed the rule's threshold"""
    base: int | None
    """the limit that a refusal or accepted prompts corrected; null if none did"""
    window: int | None
    """the corrected total"""
    input: int | None
    """the corrected largest prompt"""
    reserve: int
    """reserved by a refused request; 0 if none was"""
    landings: list[int]
    """prompts after compactions, the oldest first"""
    sessions: list[str]
    """Fingerprints of the sessions that showed the threshold, and of the last session."""
    last: str
    at: Time | None
    """when the last session measured last"""


class Lesson(Object):
    """Lesson are the corrections learned from sessions of one kind: an agent, its version, a model and a workspace."""

    _required = frozenset({"key", "place", "agent", "model", "session", "bases", "afterBase", "second", "actual", "estimated", "reasoning", "steps", "at", "rows", "paces"})
    _optional = frozenset()
    key: str
    """a fingerprint of the kind"""
    place: str
    """a fingerprint of the agent and the workspace; 0 if unknown"""
    agent: str
    model: str
    session: str
    """a fingerprint of the last session"""
    bases: list[int]
    """residuals of first prompts"""
    afterBase: int | None
    """residual of the second request"""
    second: int | None
    """unrecorded tokens of the second request after a compaction"""
    actual: int
    """actual tokens of estimated texts"""
    estimated: int
    """estimates of these texts"""
    reasoning: ReasoningMode
    steps: int
    at: Time | None
    """time of the last measurement"""
    rows: list[int]
    """
    Tokens of system, tools, mcpTools, skills, agents, memory and documents, as set by the host; empty if none
    were set.
    """
    paces: list[Pace]
    """growth of the last sessions, the oldest first"""


class Pace(Object):
    """
    Pace is the growth of a session: its tokens, in how many steps from one request to the next, and its requests,
    in how many turns.
    """

    _required = frozenset({"tokens", "steps", "requests", "turns"})
    _optional = frozenset()
    tokens: int
    steps: int
    requests: int
    turns: int


class LinesAnswer(Object):
    """LinesAnswer is the result of ctx/lines."""

    _required = frozenset({"lines"})
    _optional = frozenset()
    lines: dict[str, str]
    """the finished texts, by the same names; none without a Reading"""


class WatchAnswer(Object):
    """WatchAnswer is the result of ctx/watch."""

    _required = frozenset({"sessions", "roots", "searching"})
    _optional = frozenset()
    sessions: list[Reading]
    """sessions that were read within 1.5 s; the others arrive as ctx/reading"""
    roots: list[str]
    """
    The whole repository of each folder, or the folder itself. A session that started in, below or above one is
    here.
    """
    searching: bool
    """
    Sessions are still being searched or read, for example because the engine is being compiled; ctx/searched ends
    it.
    """


class EarlierAnswer(Object):
    """EarlierAnswer is the result of ctx/earlier."""

    _required = frozenset({"sessions", "more"})
    _optional = frozenset()
    sessions: list[Earlier]
    """the newest first"""
    more: bool
    """whether there are older ones"""


class Earlier(Object):
    """Earlier is a session that is not read until ctx/focus names it."""

    _required = frozenset({"session", "agent", "title", "workspace", "started", "modified", "glimpse"})
    _optional = frozenset({"opening", "host"})
    session: str
    agent: str
    title: str
    """"" without one"""
    opening: str | None
    """The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only."""
    workspace: str
    """the directory that it was started in"""
    host: str | None
    """the program that runs it for its agent; absent otherwise"""
    started: int | None
    """milliseconds since 1970"""
    modified: int
    """milliseconds since 1970"""
    glimpse: Glimpse | None
    """How full its window is, from the end of its transcript; null if it is older than a day or too large."""


class Glimpse(Object):
    """Glimpse is a preview of a window from the end of a transcript, like a Reading."""

    _required = frozenset({"model", "used", "limit", "percent", "basis", "display", "part"})
    _optional = frozenset()
    model: str
    used: int
    limit: int | None
    percent: Hundredths | None
    basis: Basis
    display: Display
    part: bool
    """only the end was counted, and nothing in it was measured: the real size is at least this"""


class HandoverAnswer(Object):
    """HandoverAnswer is the result of ctx/handover: the note, and the data in it."""

    _required = frozenset({"session", "text", "tokens", "basis", "asked", "firstAsked", "lastAsked", "lastAnswer", "todos", "files", "failing", "compactions", "skipped", "struck"})
    _optional = frozenset()
    session: str
    text: str
    """Markdown"""
    tokens: int
    """length of text"""
    basis: Basis
    """basis of tokens"""
    asked: int
    """maximum length that was requested"""
    firstAsked: str
    lastAsked: str
    """"" if that is the first"""
    lastAnswer: str
    todos: list[HandoverTodo]
    files: list[HandoverFile]
    """changed files first, then read ones, each list with the latest first"""
    failing: list[HandoverFailure]
    """the latest first"""
    compactions: int
    skipped: int
    """records that could not be read"""
    struck: int
    """values in the texts that look like secrets"""


class HandoverTodo(Object):
    """HandoverTodo is an entry of the agent's own list."""

    _required = frozenset({"text", "state"})
    _optional = frozenset()
    text: str
    state: TodoState


class HandoverFile(Object):
    """HandoverFile is a file that the agent changed or read."""

    _required = frozenset({"path", "changes", "reads"})
    _optional = frozenset()
    path: str
    changes: int
    """calls that changed it; 0 if it was only read"""
    reads: int


class HandoverFailure(Object):
    """HandoverFailure is a command that failed and has not succeeded since."""

    _required = frozenset({"command", "exit", "output", "ago"})
    _optional = frozenset()
    command: str
    exit: int
    output: str
    """the last 2,000 characters"""
    ago: int
    """commands that ran since"""


class SeesAnswer(Object):
    """SeesAnswer is the result of ctx/sees: what the next request holds of a file. It has no text of the file."""

    _required = frozenset({"session", "path", "lines", "held", "ranges", "text"})
    _optional = frozenset()
    session: str
    path: str
    lines: int
    """0 if the file is not in the workspace or cannot be read"""
    held: int
    """of these, the lines that are verbatim or own"""
    ranges: list[SightRange]
    """in order and without gaps"""
    text: Text
    """all of this as a message"""


class SightRange(Object):
    """SightRange is lines in the same state."""

    _required = frozenset({"from", "to", "state", "item", "at", "text"})
    _optional = frozenset()
    from_: int
    """1 is the first line"""
    to: int
    """the last line"""
    state: SightState
    item: str | None
    """the item that holds the lines, or held them"""
    at: Time | None
    """when it was added, and for gone lines when they left"""
    text: Text
    """the state and the item"""


class ForgotAnswer(Object):
    """
    ForgotAnswer is the result of ctx/forgot: the content of the window before a compaction, and what became of
    it.
    """

    _required = frozenset({"session", "compaction", "compactions", "at", "auto", "summary", "summaryTells", "items", "largest", "more", "kept", "inSummary", "gone", "unknown", "total", "after", "reasoning", "basis", "struck", "text"})
    _optional = frozenset()
    session: str
    compaction: int
    compactions: int
    """number of compactions so far"""
    at: int | None
    """milliseconds since 1970"""
    auto: bool
    """the agent compacted automatically"""
    summary: str
    """"" if it is not recorded"""
    summaryTells: bool
    """false if the summary is not recorded"""
    items: list[ForgotItem]
    """those that have tokens, in their order"""
    largest: list[ForgotThing]
    """the ten largest that are gone, or unknown; the largest first"""
    more: ForgotSum
    """the others that are gone, or unknown"""
    kept: ForgotSum
    inSummary: ForgotSum
    gone: ForgotSum
    unknown: ForgotSum
    """if the summary is not recorded"""
    total: int
    """tokens of all items"""
    after: ForgotAfter | None
    """the agent's own size; null if it records none"""
    reasoning: int
    """number of reasoning items, which are not listed"""
    basis: Basis
    """basis of the tokens"""
    struck: int
    """values in the texts that look like secrets"""
    text: str
    """a line for users"""


class ForgotItem(Object):
    """
    ForgotItem is a message, a call with its result, or a file with everything that was read from it and written
    to it.
    """

    _required = frozenset({"kind", "label", "excerpt", "tokens", "state", "kept", "names", "found", "missing"})
    _optional = frozenset()
    kind: str
    label: str
    excerpt: str
    """the beginning of a message"""
    tokens: int | None
    """null if not counted"""
    state: ForgotState
    kept: int
    """tokens of it that are still sent; with the state kept, the rest is dropped"""
    names: int
    """number of names in it that few other items have"""
    found: int
    """number of these names in the summary"""
    missing: list[str]
    """up to five of the missing names"""


class ForgotThing(Object):
    """
    ForgotThing is all items of one name that were dropped, or the dropped part of a kept one. Of unrecorded
    summaries it is all that is unknown.
    """

    _required = frozenset({"kind", "label", "excerpt", "tokens", "items"})
    _optional = frozenset()
    kind: str
    """of its first item"""
    label: str
    excerpt: str
    """the beginning of a message"""
    tokens: int
    items: int
    """number of items of this name"""


class ForgotAfter(Object):
    """
    ForgotAfter compares the agent's own size of the messages after a compaction with the transcript. The first
    six numbers are in the agent's measure, a quarter of the characters; the others are counted for the model.
    """

    _required = frozenset({"reported", "found", "summary", "messages", "attached", "notFound", "agrees", "tokens", "keptTokens", "summaryTokens", "addedTokens", "text"})
    _optional = frozenset()
    reported: int
    """the agent's number, without the system prompt and the tools"""
    found: int
    """the transcript's: summary + messages + attached"""
    summary: int
    """part of found"""
    messages: int
    """messages kept verbatim, part of found"""
    attached: int
    """files, hooks and other content sent with the summary, part of found"""
    notFound: int
    """reported - found; negative if the transcript contains more"""
    agrees: bool
    """notFound is at most a tenth of reported"""
    tokens: int
    """keptTokens + summaryTokens + addedTokens"""
    keptTokens: int
    """tokens of kept"""
    summaryTokens: int
    """tokens of the summary"""
    addedTokens: int
    """tokens of attached content that was not in the window before"""
    text: str
    """the comparison in words"""


class ForgotSum(Object):
    """
    ForgotSum is the number and the tokens of the items in a state. Tokens of gone include the parts of kept items
    that are no longer sent, such as older versions of a file.
    """

    _required = frozenset({"items", "tokens"})
    _optional = frozenset()
    items: int
    tokens: int


class FirstAnswer(Object):
    """
    FirstAnswer is the result of ctx/first: the fixed context that the sessions of a workspace began with, by
    agent.
    """

    _required = frozenset({"workspace", "agents"})
    _optional = frozenset()
    workspace: str
    agents: list[FirstOf]


class FirstOf(Object):
    """FirstOf is the fixed context that the sessions of one agent began with."""

    _required = frozenset({"agent", "name", "sentence", "change", "sessions"})
    _optional = frozenset()
    agent: str
    name: str
    """the name that users know"""
    sentence: str
    """how it changed, and the cause, as a message"""
    change: FirstChange | None
    """the change in numbers; null if there is nothing to compare"""
    sessions: list[FirstRequest]
    """the oldest first"""


class FirstChange(Object):
    """
    FirstChange is how the fixed context changed: the median of the newest sessions compared with that of the
    oldest.
    """

    _required = frozenset({"from", "to", "since", "steady", "kind", "tokens", "servers", "otherModel"})
    _optional = frozenset()
    from_: int
    to: int
    since: int
    """when the oldest session began, in milliseconds since 1970"""
    steady: bool
    """they differ by less than 5% or 500 tokens"""
    kind: str
    """of the row that changed most in that direction; "" without one"""
    tokens: int
    """the change in tokens; negative if it shrank"""
    servers: list[str]
    """for mcpTools: the MCP servers that caused the change"""
    otherModel: bool
    """another model, which may count differently"""


class FirstRequest(Object):
    """FirstRequest is the fixed context in the first request of a session: its setup."""

    _required = frozenset({"session", "agentVersion", "model", "at", "in", "setup", "rows", "mcpServers"})
    _optional = frozenset({"continues"})
    session: str
    agentVersion: str
    model: str
    at: int
    """when it began, in milliseconds since 1970"""
    in_: int
    """the whole first request"""
    setup: int
    """the request without its conversation"""
    rows: list[FirstRow]
    """rows that add up to setup"""
    mcpServers: list[FirstServer]
    continues: bool | None
    """The session continues another conversation, so its first request does not show the fixed context."""


class FirstRow(Object):
    """FirstRow is one row of a setup."""

    _required = frozenset({"kind", "tokens"})
    _optional = frozenset()
    kind: str
    tokens: int


class FirstServer(Object):
    """FirstServer is the size of an MCP server's tools in a setup."""

    _required = frozenset({"name", "tokens"})
    _optional = frozenset()
    name: str
    tokens: int


class TerminalsAnswer(Object):
    """TerminalsAnswer is the result of ctx/terminals."""

    _required = frozenset({"terminals"})
    _optional = frozenset()
    terminals: list[Terminal]
    """in the order of the request"""


class Terminal(Object):
    """Terminal describes the agent in a terminal."""

    _required = frozenset({"pid", "agent", "process", "session", "proof", "status", "candidates", "because"})
    _optional = frozenset()
    pid: int
    agent: str
    """"" if none runs"""
    process: int
    """the agent's process; 0 if none runs"""
    session: str | None
    """null if uncertain"""
    proof: Proof
    status: str
    """the agent's own word: busy, idle, waiting, or ""."""
    candidates: list[str]
    """if uncertain: the sessions to ask the user about"""
    because: str
    """the reason, as a message"""


class LevelParams(Object):
    """
    LevelParams report that a session crossed a level, compacted, or became inactive. Only live sessions cross
    levels upwards.
    """

    _required = frozenset({"session", "level", "before", "crossed", "reading"})
    _optional = frozenset({"first", "compacted"})
    session: str
    level: Level
    before: Level
    crossed: Crossing
    first: bool | None
    """up, to a level that the session has not reached before"""
    compacted: bool | None
    reading: Reading


class FocusedParams(Object):
    """FocusedParams report that another session should be shown."""

    _required = frozenset({"reading"})
    _optional = frozenset()
    reading: Reading | None
    """with its focus; null if there is no session to show"""


class OfferParams(Object):
    """
    OfferParams offer a vocabulary that would make the counts of a watched session exact. Each one is offered
    once, to one client, and never again after a reply.
    """

    _required = frozenset({"name", "sentence", "address", "licence", "bytes", "model"})
    _optional = frozenset({"phrase"})
    name: str
    """the name to pass to ctx/vocabulary"""
    sentence: str
    """a message for users: the purpose, size and source"""
    phrase: Phrase | None
    """the message as a phrase"""
    address: str
    """address of the server"""
    licence: str
    bytes: int
    """size of the download"""
    model: str
    """the session's model"""


class ClosedParams(Object):
    """ClosedParams report that a watched session was closed."""

    _required = frozenset({"session"})
    _optional = frozenset()
    session: str


class CrossingAnswer(Object):
    """CrossingAnswer reports whether a level was crossed. If none was, only state is set."""

    _required = frozenset({"state"})
    _optional = frozenset({"level", "before", "crossed", "first", "compacted"})
    state: str
    """to be sent with the session's next Reading"""
    level: Level | None
    before: Level | None
    crossed: Crossing | None
    first: bool | None
    """up, to a level that the session has not reached before"""
    compacted: bool | None


class OpenOptions(TypedDict, total=False):
    """OpenOptions are the keywords of ctx/session/open."""
    id: str
    scope: str
    """the id's scope: a host with several clients gives each its own; the daemon refuses it"""
    agent: str
    """The agent, which sets the compaction rule and the window table; default generic."""
    agentVersion: str
    model: str
    """as models.dev spells it, or a usual alias"""
    provider: str
    """as models.dev spells it, or a usual alias"""
    route: str
    """chat, responses, copilot, ...: decides how reasoning is sent again"""
    workspace: str
    checkout: str
    """the session's own checkout of workspace"""
    mode: Mode
    """default hybrid"""
    limits: Limits | None
    reserve: int | None
    """tokens kept for the response"""
    rule: RuleChoice
    """default the agent's own"""
    reasoning: ReasoningMode
    """learned if absent"""
    parent: str
    """the parent's session id: of the same scope, or of none"""
    label: str
    """its name for users"""
    title: str
    """the agent's own title of the session; never a prompt"""
    branch: str
    """the branch that the agent works on"""
    settings: Mapping[str, str]
    """
    The agent's own environment variables and settings that affect its threshold, by their own names. Others are
    dropped.
    """
    complete: bool
    """
    The host sends everything, fixed rows and items: rows estimated too short are scaled up to the measured
    prompt.
    """
    tail: bool
    """The records begin within the conversation, so what its first prompt contained is unknown."""
    hidePaths: bool
    """Show only the last element of file paths."""
    heldBy: int | None
    """The process that runs the session and has its saved ledger, so that its past is unknown; 0 if unknown."""
    setAside: bool
    """The session's saved ledger is missing or cannot be restored, so its past is unknown."""
    at: Time | None
    panel: bool
    """Add the panel to every Reading of the session, with these rows of the host."""
    rows: Sequence[HostRow]
    strict: bool
    """An unknown model or provider is an error, whose data.known has the names that resemble it."""
    key: str
    """The secret key of the saved digests of messages. Without one, none are saved."""
    shared: bool
    """the session has no owner: every client may join it"""
    resume: bool
    """continue from the saved ledger of this id, if there is one"""


class UpdateOptions(TypedDict, total=False):
    """UpdateOptions are the keywords of ctx/session/update."""
    scope: str
    """the id's scope; see ctx/session/open"""
    model: str
    provider: str
    route: str
    strict: bool
    """as in ctx/session/open, for this call's model and provider"""
    mode: Mode
    """mode of the Readings from now on"""
    limits: Limits | None
    agentLimits: Limits | None
    """The agent's own report of its window in this session, such as the message for its status line."""
    reserve: int | None
    rule: RuleChoice
    system: Content
    tools: Content
    mcpTools: Content
    skills: Content
    agents: Content
    memory: Content
    documents: Content
    """documents of the current turn; they leave with it"""
    loaded: Loaded
    """
    Content that the agent loads automatically, as found on disk. It names parts of measured prompts and adds
    nothing.
    """
    append: Sequence[Appendix]
    """items at the end, or messages as the provider shapes them"""
    replace: Sequence[Replacement]
    """items that replace others"""
    removeFrom: int | None
    """This item and all later ones are removed, as in a rewind; 0 clears the conversation."""
    removeFirst: int | None
    """How many of the oldest items are no longer sent, as in a sliding window; they keep their positions."""
    turn: Turn
    """
    start when the user sends a message, end when the agent is done; otherwise a user item after a response starts
    one.
    """
    draft: Draft
    """part of used, replaced as a whole; the next user item also clears it"""
    complete: bool | None
    """as in ctx/session/open"""
    title: str | None
    """outranks what records say; "" clears it"""
    branch: str | None
    activity: Activity | None
    """The agent's activity as seen by the host, until an item, a usage or a turn follows; "" withdraws it."""
    waitingFor: WaitingFor
    """only with the activity waiting"""
    since: Time | None
    """only with activity: when it began; otherwise now"""
    at: Time | None
    unreadAt: Time | None
    """When an agent last wrote in the session's workspace in a form that the host cannot read."""
    unreadBy: str
    """the agent that wrote at unreadAt; the session's own if absent"""
    behind: bool | None
    """
    Whether the host has yet to read records that the agent has written; the numbers are marked until it sends
    false.
    """
    reported: int | None
    """The agent's own number for its prompt, newer than its records, until the conversation continues."""
    reportedAt: Time | None
    """only with reported: when the agent reported it"""
    rows: Sequence[HostRow]
    """The host's rows of the panel, instead of those before."""


class MessagesOptions(TypedDict, total=False):
    """MessagesOptions are the keywords of ctx/session/messages."""
    scope: str
    """the id's scope; see ctx/session/open"""
    compacted: bool | None
    """true: messages were replaced by a summary; false: they were not. It is inferred if absent."""
    at: Time | None


class UsageOptions(TypedDict, total=False):
    """UsageOptions are the keywords of ctx/session/usage."""
    scope: str
    """the id's scope; see ctx/session/open"""
    request: str
    """the response's id: a report with the same id replaces the earlier one"""
    provider: str
    """recognized by the shape of usage if absent"""
    through: int | None
    """How many items the prompt contained. By default all except those that the model wrote at the end."""
    final: bool | None
    """false for a chunk of a stream"""
    counted: bool
    """the provider counted this prompt and did not run it"""
    reported: bool
    """The usage may be invented by its source: numbers based on it are estimated, and nothing is learned from it."""
    at: Time | None


class ErrorOptions(TypedDict, total=False):
    """ErrorOptions are the keywords of ctx/session/error."""
    scope: str
    """the id's scope; see ctx/session/open"""
    provider: str
    status: int | None
    """HTTP status"""
    reported: bool
    """The error may be invented by its source: only its limit is used."""
    at: Time | None


class CompactedOptions(TypedDict, total=False):
    """CompactedOptions are the keywords of ctx/session/compacted."""
    scope: str
    """the id's scope; see ctx/session/open"""
    trigger: Trigger
    """default manual"""
    summary: Summary
    kept: int | None
    """how many of the last items remain"""
    tokens: int | None
    """the remaining tokens, if the caller knows"""
    before: int | None
    at: Time | None


class RecordsOptions(TypedDict, total=False):
    """RecordsOptions are the keywords of ctx/session/records."""
    scope: str
    """the id's scope; see ctx/session/open"""
    agent: str
    """recognized from the records if absent"""
    line: int | None
    """The transcript line of the first record, if each record is on the line after the previous one."""
    open: Opening
    """open the session if there is none"""
    steps: bool
    """return the predictions that were verified"""
    inferred: bool
    """with steps: infer causes of cache breaks instead of reading those that the agent recorded"""
    reading: bool | None
    """false: return no Reading"""
    wanted: bool
    """return the files with unrecorded content"""
    at: Time | None
    shared: bool
    """as in ctx/session/open"""


class ReadingOptions(TypedDict, total=False):
    """ReadingOptions are the keywords of ctx/session/reading."""
    scope: str
    """the id's scope; see ctx/session/open"""
    mode: Mode
    """mode of this result; default the session's own"""
    panel: bool
    """add the panel to this result"""
    rows: Sequence[HostRow]
    """Rows of the host in this panel, after those of the session."""


class SessionOptions(TypedDict, total=False):
    """SessionOptions are the keywords of ctx/session/close."""
    scope: str
    """the id's scope; see ctx/session/open"""


class SessionsOptions(TypedDict, total=False):
    """SessionsOptions are the keywords of ctx/sessions."""
    scope: str
    """List the sessions of this scope, and those without a scope whose ids are free in it."""
    mode: Mode
    """mode of this result; default each session's own"""


class HistoryOptions(TypedDict, total=False):
    """HistoryOptions are the keywords of ctx/session/history."""
    scope: str
    """the id's scope; see ctx/session/open"""
    points: int | None
    """maximum number of points; default 200"""


class ItemsOptions(TypedDict, total=False):
    """ItemsOptions are the keywords of ctx/session/items."""
    scope: str
    """the id's scope; see ctx/session/open"""
    top: int | None
    """maximum number of items; default 20"""


class FitsOptions(TypedDict, total=False):
    """FitsOptions are the keywords of ctx/session/fits."""
    scope: str
    """the id's scope; see ctx/session/open"""
    phrases: bool | None
    """add the phrase of the text"""


class RestoreOptions(TypedDict, total=False):
    """RestoreOptions are the keywords of ctx/session/restore."""
    id: str
    """replaces the ledger's own id"""
    scope: str
    """the id's scope; see ctx/session/open"""
    parent: str
    key: str
    """the key that ctx/session/open was given"""
    older: bool
    """the newest ledger is lost, so the number is marked until a request is measured"""
    shared: bool
    """as in ctx/session/open"""


class DocumentOpenOptions(TypedDict, total=False):
    """DocumentOpenOptions are the keywords of ctx/document/open."""
    set: str
    """documents of the same set may import one another"""
    scope: str
    """the set's scope; see ctx/session/open"""
    path: str
    """relative to the workspace, or ~/...; default id"""
    model: str
    """the model to count for; default the one that the kind of file suggests"""
    provider: str
    limit: int | None
    """limit of the session that it is opened for; shares are divided by it"""
    agent: str
    """the agent whose loading rules apply if several agents read the file"""
    show: ShowOptions | None


class DocumentChangeOptions(TypedDict, total=False):
    """DocumentChangeOptions are the keywords of ctx/document/change."""
    set: str
    scope: str
    """the set's scope; see ctx/session/open"""
    version: int | None
    """the host's own number; changes come in order"""
    changes: Sequence[DocumentChange]
    """each applies to the result of the previous one"""
    imports: Sequence[ImportTarget]
    """the target of each import, as found by the host"""
    model: str | None
    """to count for from now on; null or "" for what the kind of file suggests"""
    provider: str
    limit: int | None
    """with model, as in open"""
    show: ShowOptions | None


class DocumentViewOptions(TypedDict, total=False):
    """DocumentViewOptions are the keywords of ctx/document/view."""
    set: str
    scope: str
    """the set's scope; see ctx/session/open"""
    show: ShowOptions | None


class DocumentOptions(TypedDict, total=False):
    """DocumentOptions are the keywords of ctx/document/close."""
    set: str
    scope: str
    """the set's scope; see ctx/session/open"""


CountOptions = TypedDict(
    "CountOptions",
    {
        "text": "Body | None",
        "texts": "Sequence[Body]",
        "model": "str",
        "provider": "str",
        "encoding": "str",
        "as": "str",
        "boundaries": "bool",
        "strict": "bool",
        "exact": "ExactCount | None",
    },
    total=False,
)
"""CountOptions are the keywords of ctx/count."""


class ModelsOptions(TypedDict, total=False):
    """ModelsOptions are the keywords of ctx/models."""
    query: str
    """a name or a part of an id; default everything"""


class LinesOptions(TypedDict, total=False):
    """LinesOptions are the keywords of ctx/lines."""
    reading: Foreign
    """
    A Reading, or a short description of a session, as it was received; without one the templates are only
    checked.
    """
    words: Mapping[str, str]
    """the caller's own fields, and translations"""


class CrossingOptions(TypedDict, total=False):
    """CrossingOptions are the keywords of ctx/crossing."""
    state: str
    """state of the result for the previous Reading; absent for a session's first"""


class WatchOptions(TypedDict, total=False):
    """WatchOptions are the keywords of ctx/watch."""
    workspace: str
    """a path or a file URI; default everything"""
    folders: Sequence[str]
    """The folders that the client shows, which decide what is here and what is elsewhere; default the workspace."""
    workDoneToken: Foreign
    """LSP's token for the progress of reading sessions"""
    mode: Mode
    """The mode of all Readings that this client gets until the next ctx/watch; default each session's own."""
    lines: Mapping[str, Template]
    """
    Like in ctx/lines: until the next ctx/watch, every Reading that this client gets contains these lines,
    finished.
    """
    words: Mapping[str, str]
    """like in ctx/lines"""
    openings: bool
    """Add the first words of the first prompt to Readings and to ctx/earlier, for sessions without a title."""
    panel: bool
    """Add the panel to all Readings until the next ctx/watch. ctx/session/reading returns that of one session."""


class EarlierOptions(TypedDict, total=False):
    """EarlierOptions are the keywords of ctx/earlier."""
    workspace: str
    """a path or a file URI; default everything"""
    limit: int
    """maximum number of sessions, the newest; default 50, at most 500"""


class HandoverOptions(TypedDict, total=False):
    """HandoverOptions are the keywords of ctx/handover."""
    tokens: int
    """maximum length of the note; default 2,000, at least 150"""
    unredacted: bool
    """Keep values that look like secrets."""


class ForgotOptions(TypedDict, total=False):
    """ForgotOptions are the keywords of ctx/forgot."""
    compaction: int
    """number of the compaction, 1 for the first; default the last"""
    unredacted: bool
    """keep values that look like secrets"""


class SeesOptions(TypedDict, total=False):
    """SeesOptions are the keywords of ctx/sees."""
    text: str | None
    """The text of the file in the editor, if it is not saved."""


class FirstOptions(TypedDict, total=False):
    """FirstOptions are the keywords of ctx/first."""
    agent: str
    """only sessions of this agent; default all agents"""


class FocusOptions(TypedDict, total=False):
    """FocusOptions are the keywords of ctx/focus."""
    session: str
    terminalPid: int
    """a terminal's process, below which an agent runs"""
    file: str
    """a path or a file URI"""
    workspace: str
    """a path or a file URI"""


class VocabularyOptions(TypedDict, total=False):
    """VocabularyOptions are the keywords of ctx/vocabulary."""
    fetch: bool
    """true downloads it; false declines"""


# These members are objects themselves.
Phrase.nest({"args": Phrase})
Text.nest({"args": Phrase})
Reading.nest({"range": Span, "lastRequest": LastRequest, "leaving": Leaving, "new": NewItems, "breakdown": Row, "mcpServers": Server, "largest": LargeItem, "compaction": Compaction, "advice": Advice, "accuracy": Accuracy, "spent": Spent, "cache": Cache, "children": Brief, "warnings": Text, "unmeasured": Text, "agentOwn": AgentOwn, "display": Display, "panel": Panel, "allowance": Allowance, "focus": Focus})
Allowance.nest({"windows": AllowanceWindow, "cache": AgentCache})
AgentCache.nest({"causes": AgentCacheCause})
Span.nest({"cause": Text})
Leaving.nest({"reasons": LeavingReason})
LeavingReason.nest({"reason": Text})
Row.nest({"label": Text})
Server.nest({"text": Text})
Compaction.nest({"thresholdFrom": Text, "sources": ThresholdSource, "moved": ThresholdMove, "landing": Landing, "callsLeft": Range, "turnsLeft": Range, "forecastFrom": Text, "hint": Text, "last": Verdict})
ThresholdMove.nest({"text": Text})
ThresholdSource.nest({"name": Text, "note": Text})
Verdict.nest({"text": Text})
Cache.nest({"back": Back, "breaks": CacheBreaks})
Back.nest({"text": Text, "compactsText": Text, "firstText": Text})
CacheBreaks.nest({"last": DetailedBreak, "text": Text})
DetailedBreak.nest({"causeText": Text, "text": Text})
Advice.nest({"label": Text, "how": Text})
Accuracy.nest({"last": Miss})
Miss.nest({"cause": Text})
AgentOwn.nest({"label": Text, "counts": Text})
Brief.nest({"children": Brief, "display": Display})
ListedSession.nest({"display": Display})
Panel.nest({"sections": PanelSection})
PanelSection.nest({"title": Text, "rows": PanelRow})
PanelRow.nest({"label": Text, "value": Text, "short": Text, "note": Text, "dated": Dated})
Dated.nest({"value": Text})
RecordsAnswer.nest({"reading": Reading, "steps": Step, "wanted": WantedFile})
Step.nest({"landing": Range, "forecasts": Forecast, "return": Return, "cacheBreak": CacheBreak})
Return.nest({"back": Back})
Forecast.nest({"calls": Range, "turns": Range})
SessionsAnswer.nest({"sessions": ListedSession})
HistoryAnswer.nest({"points": HistoryPoint, "compactions": HistoryCompaction, "verdicts": Verdict, "moves": ThresholdMove, "breaks": DetailedBreak})
ItemsAnswer.nest({"items": LargeItem})
FitsAnswer.nest({"parts": FitsPart, "fewer": Fewer, "phrase": Phrase})
LargeItem.nest({"label": Text})
SaveAnswer.nest({"ledger": Ledger})
Ledger.nest({"reader": ReaderState})
DocumentView.nest({"load": DocumentLoad, "sections": Section, "imports": DocumentImport, "findings": Finding, "display": DocumentDisplay, "drawn": Drawn})
Finding.nest({"phrase": Phrase, "other": OtherFinding})
OtherFinding.nest({"phrase": Phrase})
Drawn.nest({"lenses": DocumentLens, "hints": DocumentHint, "hovers": DocumentHover, "links": DocumentLink, "diagnostics": DocumentDiagnostic, "breakdownPhrase": Phrase})
TextRange.nest({"start": TextPosition, "end": TextPosition})
DocumentLens.nest({"range": TextRange, "phrase": Phrase})
DocumentHint.nest({"position": TextPosition, "phrase": Phrase})
DocumentHover.nest({"range": TextRange, "phrase": Phrase})
DocumentLink.nest({"range": TextRange, "phrase": Phrase})
DocumentDiagnostic.nest({"range": TextRange, "phrase": Phrase, "related": DocumentReference})
DocumentReference.nest({"range": TextRange, "phrase": Phrase})
CountAnswer.nest({"notePhrase": Phrase})
ExactAnswer.nest({"reading": Reading})
ModelsAnswer.nest({"models": Model})
LearnedAnswer.nest({"learned": Learned})
Learned.nest({"lessons": Lesson, "limits": LimitsLesson})
Lesson.nest({"paces": Pace})
WatchAnswer.nest({"sessions": Reading})
EarlierAnswer.nest({"sessions": Earlier})
Earlier.nest({"glimpse": Glimpse})
Glimpse.nest({"display": Display})
HandoverAnswer.nest({"todos": HandoverTodo, "files": HandoverFile, "failing": HandoverFailure})
SeesAnswer.nest({"ranges": SightRange, "text": Text})
SightRange.nest({"text": Text})
ForgotAnswer.nest({"items": ForgotItem, "largest": ForgotThing, "more": ForgotSum, "kept": ForgotSum, "inSummary": ForgotSum, "gone": ForgotSum, "unknown": ForgotSum, "after": ForgotAfter})
FirstAnswer.nest({"agents": FirstOf})
FirstOf.nest({"change": FirstChange, "sessions": FirstRequest})
FirstRequest.nest({"rows": FirstRow, "mcpServers": FirstServer})
TerminalsAnswer.nest({"terminals": Terminal})
LevelParams.nest({"reading": Reading})
FocusedParams.nest({"reading": Reading})
OfferParams.nest({"phrase": Phrase})

NOTIFICATIONS: dict[str, type[Object]] = {
    "ctx/reading": Reading,
    "ctx/level": LevelParams,
    "ctx/focused": FocusedParams,
    "ctx/searched": Object,
    "ctx/closed": ClosedParams,
    "ctx/offer": OfferParams,
}
"""The classes of the daemon's notifications, by their methods."""
