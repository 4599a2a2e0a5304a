# An agent of LangChain, which LangGraph runs: twenty turns against a local server.
import server
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware, wrap_model_call
from langchain_core.messages.utils import count_tokens_approximately
from langchain_openai import ChatOpenAI
from server import expect, show

import ctx_lsp

model = ChatOpenAI(model="local", base_url=server.serve() + "/v1", api_key="none")

# <recipe>
session = ctx_lsp.Session(limits={"window": 12_000}, rule={"percent": 60})


@wrap_model_call
def meter(request, handler):
    expect(session.messages(request.messages))
    response = handler(request)
    show(session.usage(response.result[-1].usage_metadata))
    return response


summarize = SummarizationMiddleware(
    model,
    trigger=("tokens", session.reading.compaction.threshold),
    token_counter=lambda messages: session.messages(messages).used,
    keep=("messages", 4),
    trim_tokens_to_summarize=None,
)
# </recipe>


@wrap_model_call
def compare(request, handler):
    server.own.append(count_tokens_approximately(request.messages, tools=request.tools))
    return handler(request)


agent = create_agent(model, [server.log], middleware=[summarize, compare, meter])
messages = []
for turn in range(1, 21):
    messages = agent.invoke({"messages": [*messages, {"role": "user", "content": server.question(turn)}]})["messages"]
server.report("LangChain 1.5", "`SummarizationMiddleware`")
