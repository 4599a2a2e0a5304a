// A local server in the protocol of OpenAI's chat completions. It counts a prompt by the bytes that it got, so that the
// meter is compared with a number that it does not know. Each turn is a call of a tool, and then an answer.
import { createServer } from 'node:http';

const fixed = 900; // what the provider adds to each prompt
const tokens = (value) => Math.ceil(JSON.stringify(value ?? '').length / 4);

// Everything that the request holds, counted as four characters a token. Ids and names of members cost nothing.
function size({ messages, tools }) {
  let sum = fixed + tokens(tools);
  for (const m of messages) {
    const content = typeof m.content === 'string' ? m.content : (m.content ?? []).map((part) => part.text).join('\n');
    sum += Math.round(content.length / 4) + Math.round((m.reasoning_content ?? '').length / 4);
    for (const call of m.tool_calls ?? []) sum += Math.round(call.function.arguments.length / 4);
  }
  return sum;
}

export async function serve() {
  const actual = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const asked = JSON.parse(body);
    const n = actual.push(size(asked));
    const working = asked.messages.at(-1).role !== 'tool';
    const thought = `The log of request ${n} should show why the test fails.`;
    const message = working
      ? {
          content: null,
          tool_calls: [{ id: `call_${n}`, type: 'function', function: { name: 'log', arguments: `{"test":${n}}` } }],
        }
      : { content: `Request ${n}: the table of separators is out of date. `.repeat(1 + (n % 4)).trim() };
    const visible = Math.round((message.content ?? message.tool_calls[0].function.arguments).length / 4);
    const reasoning = Math.round(thought.length / 4);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: `chatcmpl-${n}`,
        object: 'chat.completion',
        created: 1,
        model: asked.model,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', reasoning_content: thought, ...message },
            finish_reason: working ? 'tool_calls' : 'stop',
          },
        ],
        usage: {
          prompt_tokens: actual.at(-1),
          completion_tokens: visible + reasoning,
          total_tokens: actual.at(-1) + visible + reasoning,
          completion_tokens_details: { reasoning_tokens: reasoning },
        },
      }),
    );
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, actual, close: () => server.close() };
}

export const question = (turn) => `Turn ${turn}: why does test ${turn} fail on the second machine? `.repeat(3).trim();
export const log = ({ test }) => `FAIL: Test${test}: got 3 tokens, want 4\n`.repeat(10 + (test % 7) * 12);
export const summary = 'Summary: ten tests failed because of the table of separators. It was corrected for six. '
  .repeat(4)
  .trim();

// Prints a table, and fails if a prediction was off by more than a tenth after the third request.
export function report(host, predicted, actual) {
  const rows = actual.map((n, i) => [i + 1, predicted[i], n, predicted[i] - n]);
  for (const row of rows) console.log(row.join('\t'));
  const known = rows.slice(3);
  const off = known.map(([, , n, miss]) => Math.abs(miss) / n);
  const worst = Math.max(...off);
  const mean = off.reduce((a, b) => a + b, 0) / off.length;
  console.log(
    `${host}: ${actual.length} requests, off by ${(100 * mean).toFixed(2)}% on average, ${(100 * worst).toFixed(1)}% at most`,
  );
  if (predicted.length !== actual.length || worst > 0.1) process.exitCode = 1;
}
