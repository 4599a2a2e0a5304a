# An agent of Pydantic AI: twenty turns against a local server.
import asyncio

import server
from pydantic_ai import Agent, RunContext
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from server import expect, show

import ctx_lsp

model = OpenAIChatModel("local", provider=OpenAIProvider(base_url=server.serve() + "/v1", api_key="none"))

# <recipe>
session = ctx_lsp.AsyncSession(limits={"window": 12_000}, rule={"percent": 60})


async def meter(messages):
    reading = await session.messages(messages)  # its responses have their usage
    if len(messages) > 1:
        show(reading)
    if reading.compaction.advised and isinstance(messages[-1].parts[0], UserPromptPart):
        summary = await Agent(model).run("Summarize the conversation.", message_history=messages[:-1])
        messages = [ModelRequest([UserPromptPart(summary.output)]), messages[-1]]
        reading = await session.messages(messages)
    expect(reading)
    return messages


# </recipe>


def compare(context: RunContext, messages):
    if context.context_window_used is not None:
        server.own.append(round(context.context_window_used * 12_000))
    return messages


async def main():
    agent = Agent(model, tools=[server.log], capabilities=[ProcessHistory(compare), ProcessHistory(meter)])
    history = []
    for turn in range(1, 21):
        history = (await agent.run(server.question(turn), message_history=history)).all_messages()
    show(await session.messages(history))
    server.report("Pydantic AI 2.62", "`ProcessHistory`")


asyncio.run(main())
