// Copyright The ctx-lsp authors. MIT licence.

// Checks the scripted provider by each of its interfaces: it follows a script, reports a usage that grows with the
// request, and recognizes requests for a summary. Texts are counted by their words.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { makeFiles } from '../sightworld.mjs';
import { startProvider } from './provider.mjs';

const words = async (text) => text.split(/\s+/).length;
const parameters = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
const script = 'Please run LAB[ls,bash:echo a+ls]';

const apis = {
  messages: {
    family: 'claude',
    path: '/v1/messages',
    body: (list) => ({
      model: 'm',
      system: 'You work.',
      tools: [{ name: 'Bash', description: 'Runs.', input_schema: parameters }],
      messages: list,
    }),
    user: (text) => ({ role: 'user', content: text }),
    text: (answer) => answer.content.find((block) => block.type === 'text')?.text,
    calls: (answer) => answer.content.filter((block) => block.type === 'tool_use').map((block) => block.input.command),
    input: ({ usage }) => usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    reply: (answer) => [
      { role: 'assistant', content: answer.content },
      {
        role: 'user',
        content: answer.content
          .filter((block) => block.type === 'tool_use')
          .map((block) => ({ type: 'tool_result', tool_use_id: block.id, content: 'done' })),
      },
    ],
  },
  responses: {
    family: 'o200k',
    path: '/v1/responses',
    body: (input) => ({
      model: 'm',
      instructions: 'You work.',
      tools: [{ type: 'function', name: 'shell', description: 'Runs.', parameters }],
      input,
    }),
    user: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    text: (answer) => answer.output.find((item) => item.type === 'message')?.content[0].text,
    calls: (answer) =>
      answer.output.filter((item) => item.type === 'function_call').map((item) => JSON.parse(item.arguments).command),
    input: ({ usage }) => usage.input_tokens,
    reply: (answer) => [
      ...answer.output,
      ...answer.output
        .filter((item) => item.type === 'function_call')
        .map((item) => ({ type: 'function_call_output', call_id: item.call_id, output: 'done' })),
    ],
  },
  chat: {
    family: 'qwen',
    path: '/v1/chat/completions',
    body: (list) => ({
      model: 'm',
      messages: [{ role: 'system', content: 'You work.' }, ...list],
      tools: [{ type: 'function', function: { name: 'bash', description: 'Runs.', parameters } }],
    }),
    user: (text) => ({ role: 'user', content: text }),
    text: (answer) => answer.choices[0].message.content,
    calls: (answer) =>
      (answer.choices[0].message.tool_calls ?? []).map((each) => JSON.parse(each.function.arguments).command),
    input: ({ usage }) => usage.prompt_tokens,
    reply: (answer) => [
      answer.choices[0].message,
      ...answer.choices[0].message.tool_calls.map((each) => ({ role: 'tool', tool_call_id: each.id, content: 'done' })),
    ],
  },
  gemini: {
    family: 'gemini',
    path: '/v1beta/models/m:generateContent',
    body: (contents) => ({
      contents,
      systemInstruction: { parts: [{ text: 'You work.' }] },
      tools: [
        {
          functionDeclarations: [{ name: 'run_shell_command', description: 'Runs.', parametersJsonSchema: parameters }],
        },
      ],
    }),
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    text: (answer) => answer.candidates[0].content.parts.find((part) => part.text)?.text,
    calls: (answer) =>
      answer.candidates[0].content.parts
        .filter((part) => part.functionCall)
        .map((part) => part.functionCall.args.command),
    input: ({ usageMetadata }) => usageMetadata.promptTokenCount,
    reply: (answer) => [
      answer.candidates[0].content,
      {
        role: 'user',
        parts: answer.candidates[0].content.parts
          .filter((part) => part.functionCall)
          .map((part) => ({ functionResponse: { name: part.functionCall.name, response: { output: 'done' } } })),
      },
    ],
  },
};

for (const [name, api] of Object.entries(apis)) {
  test(`${name}: a script is followed to its end, and summaries are recognized`, async () => {
    const provider = await startProvider({ family: api.family, model: 'm', folder: '/w', count: words });
    try {
      const post = async (list) => {
        const response = await fetch(provider.origin + api.path, {
          method: 'POST',
          body: JSON.stringify(api.body(list)),
        });
        assert.equal(response.status, 200);
        return response.json();
      };
      const list = [api.user(script)];
      const expected = [['ls -la'], ['echo a', 'ls -la'], []];
      let before = 0;
      for (const calls of expected) {
        const answer = await post(list);
        assert.deepEqual(api.calls(answer), calls);
        assert.match(api.text(answer), calls.length ? /^Step \d of 2/ : /^Done with 2 steps/);
        assert.ok(api.input(answer) > before, `${api.input(answer)} after ${before}`);
        assert.equal(api.input(answer), provider.requests.at(-1).input);
        before = api.input(answer);
        if (calls.length) list.push(...api.reply(answer));
      }
      assert.deepEqual(
        provider.requests.map(({ kind, step }) => [kind, step]),
        [
          ['main', 'ls'],
          ['main', 'bash:echo a+ls'],
          ['main', undefined],
        ],
      );
      await post([...list, api.user('Write a summary of this conversation.')]);
      assert.equal(provider.requests.at(-1).kind, 'compaction');
    } finally {
      provider.close();
    }
  });
}

test('a text of ours is counted with its kind, wherever it is', async () => {
  const given = [{ kind: 'memory', text: 'rule one two three' }];
  const reminder = (text) => `<system-reminder>${text}</system-reminder> `;
  const provider = await startProvider({ family: 'qwen', model: 'm', folder: '/w', given, count: words });
  try {
    const messages = [
      { role: 'system', content: 'You work. rule one two three' },
      {
        role: 'user',
        content: `${reminder('names')}${reminder('Lab server: it works.')}${reminder('Lab tool number 1 '.repeat(10))}LAB[ls]`,
      },
    ];
    const body = JSON.stringify({ ...apis.chat.body([]), messages });
    await fetch(provider.origin + apis.chat.path, { method: 'POST', body });
    assert.equal(provider.requests[0].rows.memory, 4);
    assert.equal(provider.requests[0].rows.mcpTools, 45);
    assert.equal(provider.requests[0].rows.system, 2);
    // Without a reminder, instructions are a section of a longer text.
    const section = '# MCP Server Instructions\n\nThe following servers:\n\n## lab20\nLab server: it works.';
    const other = '# Agents\n\nOne two three.\n\n';
    for (const [text, tokens] of [
      [`${other}${section}\n\nThe following skills\n`, 13],
      [`# MCP\n\nNone.\n\n${other}Lab server: it works.`, 0],
    ]) {
      const body = JSON.stringify({ ...apis.chat.body([]), messages: [{ role: 'user', content: `${text} LAB[ls]` }] });
      await fetch(provider.origin + apis.chat.path, { method: 'POST', body });
      assert.equal(provider.requests.at(-1).rows.mcpTools, tokens, text);
    }
  } finally {
    provider.close();
  }
});

test('a tool whose edits are a list is called with one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lab-'));
  makeFiles(folder);
  const provider = await startProvider({ family: 'o200k', model: 'm', folder, count: words });
  try {
    const text = { type: 'string' };
    const items = { type: 'object', properties: { oldText: text, newText: text }, required: ['oldText', 'newText'] };
    const properties = { path: text, edits: { type: 'array', items } };
    const edit = { type: 'function', name: 'edit', description: 'Edits.', parameters: { type: 'object', properties } };
    const body = { ...apis.responses.body([apis.responses.user('Run LAB[edit:one.go:1:2:1]')]), tools: [edit] };
    const sent = { method: 'POST', body: JSON.stringify(body) };
    const answer = await (await fetch(provider.origin + apis.responses.path, sent)).json();
    const call = answer.output.find((item) => item.type === 'function_call');
    const { edits } = JSON.parse(call.arguments);
    assert.equal(edits.length, 1);
    const lines = readFileSync(path.join(folder, 'one.go'), 'utf8').split('\n');
    assert.equal(edits[0].oldText, lines.slice(0, 2).join('\n'));
    assert.match(edits[0].newText, /late0/);
  } finally {
    provider.close();
    rmSync(folder, { recursive: true });
  }
});

test('a deferred tool costs nothing before the provider has searched for it', async () => {
  const provider = await startProvider({ family: 'o200k', model: 'm', folder: '/w', count: words });
  const tool = { type: 'function', name: 'shop-lab_tool_1', description: 'Counts teas. '.repeat(40), parameters };
  const ask = async (input, more) => {
    const tools = [
      { type: 'function', name: 'shell', description: 'Runs.', parameters },
      { type: 'namespace', name: 'shop', tools: [{ ...tool, ...more }] },
    ];
    const body = JSON.stringify({ model: 'm', instructions: 'You work.', tools, input });
    return (await fetch(`${provider.origin}/v1/responses`, { method: 'POST', body })).json();
  };
  const prompt = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run LAB[mcp:1,ls]' }] };
  const whole = await ask([prompt], {});
  const deferred = await ask([prompt], { defer_loading: true });
  assert.ok(whole.usage.input_tokens > deferred.usage.input_tokens + 40);
  assert.deepEqual(
    deferred.output.map((item) => item.type),
    ['message', 'tool_search_call', 'tool_search_output', 'function_call'],
  );
  const result = { type: 'function_call_output', call_id: deferred.output[3].call_id, output: 'done' };
  const later = await ask([prompt, ...deferred.output, result], { defer_loading: true });
  assert.ok(later.usage.input_tokens > deferred.usage.input_tokens + 40);
  assert.equal(provider.requests[2].rows.mcpTools > 40, true);
  provider.close();
});
