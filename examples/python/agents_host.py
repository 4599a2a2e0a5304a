# An agent of the OpenAI Agents SDK: twenty turns against a local server.
import asyncio

import server
from agents import Agent, OpenAIResponsesModel, RunHooks, Runner, SQLiteSession, function_tool, set_tracing_disabled
from agents.memory import OpenAIResponsesCompactionSession
from openai import AsyncOpenAI
from server import expect, show

import ctx_lsp

client = AsyncOpenAI(base_url=server.serve() + "/v1", api_key="none")
set_tracing_disabled(True)


async def main():
    # <recipe>
    session = ctx_lsp.AsyncSession(limits={"window": 12_000}, rule={"percent": 60})

    class Meter(RunHooks):
        async def on_llm_start(self, context, agent, system_prompt, input_items):
            expect(await session.messages(input_items))

        async def on_llm_end(self, context, agent, response):
            show(await session.usage(response.usage))

    def advised(_):
        return session.reading.compaction.advised

    memory = OpenAIResponsesCompactionSession(
        "chat", SQLiteSession("chat"), client=client, model="gpt-5", should_trigger_compaction=advised
    )
    # </recipe>
    agent = Agent("host", tools=[function_tool(server.log)], model=OpenAIResponsesModel("gpt-5", client))
    for turn in range(1, 21):
        await Runner.run(agent, server.question(turn), session=memory, hooks=Meter())
    server.report("OpenAI Agents 0.24", "`should_trigger_compaction`")


asyncio.run(main())
