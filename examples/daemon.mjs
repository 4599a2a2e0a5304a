// A status bar over JSON-RPC in Node: `make install`, then `node examples/daemon.mjs`.
import { spawn } from 'node:child_process';

const daemon = spawn('ctx-lsp', ['serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
let [buffer, id] = [Buffer.alloc(0), 0];
function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  daemon.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
function call(method, params) {
  send({ id: ++id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}
daemon.stdout.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const head = buffer.indexOf('\r\n\r\n');
    const end = head + 4 + Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, head))?.[1]);
    if (head < 0 || buffer.length < end) return;
    const message = JSON.parse(buffer.subarray(head + 4, end));
    buffer = buffer.subarray(end);
    const call = message.method ? undefined : waiting.get(message.id); // notifications are ignored here
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result);
  }
});

await call('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
send({ method: 'initialized', params: {} });
await call('ctx/session/open', { id: 'chat', model: 'claude-sonnet-4-5', rule: { percent: 80 } });
let reading;
for (const input_tokens of [129_500, 132_000, 137_000, 141_000]) {
  await call('ctx/session/update', { id: 'chat', append: [{ kind: 'user', text: 'Why does the build fail?' }] });
  reading = await call('ctx/session/usage', { id: 'chat', usage: { input_tokens, output_tokens: 400 } });
}
const { display: d, compaction } = reading;
console.log(`${d.number} · ${d.free} free · compacts at ${d.threshold} · ${compaction.hint.text}`);
daemon.stdin.end();
// Prints: 71% · 58.6k free · compacts at 160k · compacts in ~5 requests
