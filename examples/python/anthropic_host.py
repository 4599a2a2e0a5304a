# A chat program with Anthropic's SDK: twenty turns against a local server.
import server
from anthropic import Anthropic
from server import expect, show

import ctx_lsp

client = Anthropic(base_url=server.serve(), api_key="none")
schema = {"type": "object", "properties": {"test": {"type": "integer"}}, "required": ["test"]}
tool = {"name": "log", "description": "Reads the log of a test.", "input_schema": schema}
messages = []

# <recipe>
session = ctx_lsp.Session(limits={"window": 12_000}, rule={"percent": 60})


def ask():
    reading = session.messages(messages)
    if reading.compaction.advised and messages[-1]["role"] == "user" and isinstance(messages[-1]["content"], str):
        summary = client.messages.create(model="local", max_tokens=1000, messages=[*messages, SUMMARIZE])
        messages[:-1] = [{"role": "user", "content": summary.content[0].text}]
        reading = session.messages(messages)
    expect(reading)
    response = client.messages.create(model="local", max_tokens=1000, messages=messages, tools=[tool])
    show(session.usage(response.usage))
    messages.append({"role": "assistant", "content": response.content})
    return response


# </recipe>

SUMMARIZE = {"role": "user", "content": "Summarize the conversation."}
for turn in range(1, 21):
    messages.append({"role": "user", "content": server.question(turn)})
    while calls := [block for block in ask().content if block.type == "tool_use"]:
        results = [{"type": "tool_result", "tool_use_id": c.id, "content": server.log(**c.input)} for c in calls]
        messages.append({"role": "user", "content": results})
server.report("Anthropic 2.10", "a summary")
