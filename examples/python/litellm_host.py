# A chat program with LiteLLM: twenty turns against a local server.
import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # no download when it is imported
import litellm
import server
from server import expect, show

import ctx_lsp

base = server.serve() + "/v1"
parameters = {"type": "object", "properties": {"test": {"type": "integer"}}, "required": ["test"]}
function = {"name": "log", "description": "Reads the log of a test.", "parameters": parameters}
tools = [{"type": "function", "function": function}]
messages = []

# <recipe>
session = ctx_lsp.Session(limits={"window": 12_000}, rule={"percent": 60})


def ask():
    reading = session.messages(messages)
    if reading.compaction.advised:
        messages[:] = litellm.utils.trim_messages(messages, "gpt-4o", max_tokens=reading.used // 2)
        reading = session.messages(messages)
    expect(reading)
    compare()
    response = litellm.completion("openai/local", messages, tools=tools, base_url=base, api_key="none")
    show(session.usage(response.usage))
    messages.append(response.choices[0].message)
    return response.choices[0].message


# </recipe>


def compare():
    server.own.append(litellm.token_counter("openai/local", messages=[*map(dict, messages)], tools=tools))


for turn in range(1, 21):
    messages.append({"role": "user", "content": server.question(turn)})
    while calls := ask().tool_calls:
        for call in calls:
            content = server.log(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
server.report("LiteLLM 1.110", "`trim_messages`")
