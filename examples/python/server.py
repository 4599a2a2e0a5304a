"""
A local server in the protocols of OpenAI (chat completions and Responses) and Anthropic. It counts a prompt by the
characters that it got, four a token, so that the meter is compared with a number that it does not know. Each turn is a
call of a tool, and then an answer. A request without tools is for a summary, and is not part of the conversation.
"""

from __future__ import annotations

import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FIXED = 900  # what the provider adds to each prompt
SUMMARY = "Summary: ten tests failed because of the table of separators. It was corrected for six. " * 4
actual: list[int] = []
"""The size of each prompt of the conversation, in tokens."""


def question(turn: int) -> str:
    return f"Turn {turn}: why does test {turn} fail on the second machine? " * 3


def log(test: int) -> str:
    """Reads the log of a test."""
    return f"FAIL: Test{test}: got 3 tokens, want 4\n" * (10 + test % 7 * 12)


def _characters(value: Any) -> int:
    """Returns how many characters of a message are sent to the model. Ids, names of members and signatures are not."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(_characters(each) for each in value)
    if not isinstance(value, dict):
        return 0
    if "encrypted_content" in value and value.get("type") == "compaction":
        return len(base64.b64decode(value["encrypted_content"]))
    kept = (
        "content",
        "text",
        "thinking",
        "reasoning_content",
        "arguments",
        "output",
        "summary",
        "tool_calls",
        "function",
    )
    size = sum(_characters(value.get(name)) for name in kept)
    return size + (len(json.dumps(value["input"])) if value.get("type") == "tool_use" else 0)


def _size(body: dict[str, Any]) -> int:
    messages = body["messages"] if "messages" in body else body["input"]
    fixed = len(json.dumps(body.get("tools"))) + _characters(body.get("system")) + _characters(body.get("instructions"))
    return FIXED + fixed // 4 + sum(_characters(message) // 4 for message in messages)


def _asks(body: dict[str, Any]) -> bool:
    """Reports whether the last message is the user's, and not the result of a tool."""
    last = (body["messages"] if "messages" in body else body["input"])[-1]
    return last.get("role") == "user" and "tool_result" not in json.dumps(last["content"])


def _usage(body: dict[str, Any], answer: str, thought: str) -> tuple[int, int, int]:
    return actual[-1], (len(answer) + len(thought)) // 4, len(thought) // 4


def _completion(body: dict[str, Any]) -> dict[str, Any]:
    n, message = _next(body)
    answer = message.get("content") or message["tool_calls"][0]["function"]["arguments"]
    prompt, out, reasoning = _usage(body, answer, message.get("reasoning_content", ""))
    usage = {"prompt_tokens": prompt, "completion_tokens": out, "total_tokens": prompt + out}
    return {
        "id": f"chatcmpl-{n}",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if _asks(body) else "stop"}],
        "usage": {**usage, "completion_tokens_details": {"reasoning_tokens": reasoning}},
    }


def _next(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Returns the number of a request and its answer, as a message of chat completions."""
    if not body.get("tools"):
        return 0, {"role": "assistant", "content": SUMMARY}
    actual.append(_size(body))
    n = len(actual)
    answer: dict[str, Any] = {"role": "assistant", "content": None}
    answer["reasoning_content"] = f"The log of request {n} should show why the test fails."
    if _asks(body):
        function = {"name": "log", "arguments": json.dumps({"test": n})}
        answer["tool_calls"] = [{"id": f"call_{n}", "type": "function", "function": function}]
    else:
        answer["content"] = (f"Request {n}: the table of separators is out of date. " * (1 + n % 4)).strip()
    return n, answer


def _responses(body: dict[str, Any]) -> dict[str, Any]:
    n, message = _next(body)
    thought = message.get("reasoning_content", "")
    output: list[dict[str, Any]] = []
    if thought:
        output.append({"type": "reasoning", "id": f"rs_{n}", "summary": [{"type": "summary_text", "text": thought}]})
    if "tool_calls" in message:
        call = {"type": "function_call", "id": f"fc_{n}", "call_id": f"call_{n}", "status": "completed"}
        output.append({**call, **message["tool_calls"][0]["function"]})
        answer = message["tool_calls"][0]["function"]["arguments"]
    else:
        answer = message["content"]
        text = {"type": "output_text", "text": answer, "annotations": []}
        output.append(
            {"type": "message", "id": f"msg_{n}", "role": "assistant", "status": "completed", "content": [text]}
        )
    prompt, out, reasoning = _usage(body, answer, thought)
    usage = {"input_tokens": prompt, "output_tokens": out, "total_tokens": prompt + out}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": reasoning}}
    _stored[f"resp_{n}"] = [*body["input"], *output]
    head = {"id": f"resp_{n}", "object": "response", "created_at": 1, "model": body["model"], "status": "completed"}
    kept = {"tools": body.get("tools", []), "tool_choice": "auto", "parallel_tool_calls": True}
    return {**head, **kept, "output": output, "usage": {**usage, **details}}


def _parts(content: Any) -> list[Any]:
    return [{"type": "input_text", "text": content}] if isinstance(content, str) else content


_stored: dict[str, list[Any]] = {}
"""Conversations by the responses that ended them."""


def _compact(body: dict[str, Any]) -> dict[str, Any]:
    """Answers a request to compact: the messages of the user stay, and the rest becomes an encrypted item."""
    items = body.get("input") or _stored[body["previous_response_id"]]
    users = [item for item in items if item.get("role") == "user"][-2:]
    item = {"type": "compaction", "id": "cmp_1", "encrypted_content": base64.b64encode(SUMMARY.encode()).decode()}
    output = [
        {
            "type": "message",
            "id": f"kept_{n}",
            "role": "user",
            "status": "completed",
            "content": _parts(user["content"]),
        }
        for n, user in enumerate(users)
    ]
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    head = {"id": "cmp_response", "object": "response.compaction", "created_at": 1}
    return {**head, "output": [*output, item], "usage": {**usage, **details}}


def _messages(body: dict[str, Any]) -> dict[str, Any]:
    n, message = _next(body)
    thought = message.get("reasoning_content", "")
    content: list[dict[str, Any]] = []
    if thought:
        content.append({"type": "thinking", "thinking": thought, "signature": "c2lnbmVk"})
    if "tool_calls" in message:
        answer = message["tool_calls"][0]["function"]["arguments"]
        content.append({"type": "tool_use", "id": f"call_{n}", "name": "log", "input": json.loads(answer)})
    else:
        answer = message["content"]
        content.append({"type": "text", "text": answer})
    prompt, out, _ = _usage(body, answer, thought)
    head = {"id": f"msg_{n}", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None}
    usage = {"input_tokens": prompt, "output_tokens": out}
    return {
        **head,
        "content": content,
        "stop_reason": "tool_use" if "tool_calls" in message else "end_turn",
        "usage": usage,
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        path = self.path.split("?")[0].removeprefix("/v1")
        answer = {
            "/chat/completions": _completion,
            "/responses": _responses,
            "/responses/compact": _compact,
            "/messages": _messages,
            "/messages/count_tokens": lambda body: {"input_tokens": _size(body)},
        }[path](body)
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


def serve() -> str:
    """Starts the server and returns its address, without /v1."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


predicted: list[int] = []
measured: list[int] = []
own: list[int] = []
"""The host's own counts, if it has any."""


def expect(reading: Any) -> None:
    """Notes a Reading before a request."""
    predicted.append(reading.used)


def show(reading: Any) -> None:
    """Notes a Reading after a request."""
    measured.append(reading.lastRequest.in_)


def report(host: str, compacted_by: str) -> None:
    """Prints a table, and fails if a prediction was off by more than a tenth after the third request."""
    for n, (was, size) in enumerate(zip(predicted, actual, strict=False)):
        print(n + 1, was, size, was - size, own[n] if n < len(own) else "", sep="\t")

    def errors(counts: list[int]) -> list[float]:
        return [abs(count - size) / size for count, size in list(zip(counts, actual, strict=True))[3:]]

    def average(counts: list[int]) -> str:
        return f"{100 * sum(errors(counts)) / len(errors(counts)):.2f}%"

    falls = [n for n in range(1, len(actual)) if actual[n] < actual[n - 1]]
    if not (falls and len(predicted) == len(actual) == 40 and measured == actual):
        print(f"{len(predicted)} predictions of {len(actual)} requests, {len(falls)} compactions, {measured=}")
        sys.exit(1)
    first = falls[0]
    sizes = f"{predicted[first]:,} · {actual[first]:,} | {predicted[-1]:,} · {actual[-1]:,}"
    worst = max(errors(predicted))
    counted = average(own) if own else "none"
    print(f"| {host} | {compacted_by} | {sizes} | {average(predicted)} | {100 * worst:.1f}% | {counted} |")
    sys.exit(worst > 0.1)
