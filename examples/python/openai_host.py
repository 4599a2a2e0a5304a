# A chat program with OpenAI's SDK and the Responses API: twenty turns against a local server.
import json

import server
from openai import OpenAI
from server import expect, show

import ctx_lsp

client = OpenAI(base_url=server.serve() + "/v1", api_key="none")
tool = {"type": "function", "name": "log", "description": "Reads the log of a test.", "strict": True}
tool["parameters"] = {"type": "object", "properties": {"test": {"type": "integer"}}, "required": ["test"]}
items = []

# <recipe>
session = ctx_lsp.Session(limits={"window": 12_000}, rule={"percent": 60})


def ask():
    reading = session.messages(items)
    if reading.compaction.advised:
        items[:] = client.responses.compact(model="local", input=items).output
        reading = session.messages(items, compacted=True)
    expect(reading)
    response = client.responses.create(model="local", input=items, tools=[tool], store=False)
    show(session.usage(response.usage))
    items.extend(response.output)
    return response


# </recipe>


for turn in range(1, 21):
    items.append({"role": "user", "content": server.question(turn)})
    while calls := [item for item in ask().output if item.type == "function_call"]:
        for call in calls:
            output = server.log(**json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": output})
server.report("OpenAI 3.57", "`responses.compact`")
