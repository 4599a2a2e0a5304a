// Copyright The ctx-lsp authors. MIT licence.

// An MCP server on standard input and output with twenty tools, lab_tool_1 to lab_tool_20.
import { createInterface } from 'node:readline';

const tools = Array.from({ length: 20 }, (_, i) => ({
  name: `lab_tool_${i + 1}`,
  description: `Lab tool number ${i + 1}. It takes a text and a number, and returns the text in capitals as often as the number says. Use it if the lab asks for it; never on files, and never twice in a row without a reason that the user gave.`,
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: `The text of lab tool ${i + 1}` },
      times: { type: 'number', description: 'How often, from one to nine' },
      mode: { type: 'string', enum: ['plain', 'loud', 'quiet'] },
    },
    required: ['text'],
  },
}));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'lab20', version: '1.0.0' },
    instructions: 'Lab server: its tools answer in capitals.',
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => ({
    content: [{ type: 'text', text: `${String(given?.text ?? '').toUpperCase()} from ${name}` }],
  }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const message = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
});
