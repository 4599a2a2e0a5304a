// Copyright The ctx-lsp authors. MIT licence.

// The protocol library under VS Code's language client, over each of its transports.
//   protocol.mjs TOOLS stdio|pipe|socket|shared
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , tools, transport] = process.argv;
const require = createRequire(join(tools, 'package.json'));
const {
  createProtocolConnection,
  createClientPipeTransport,
  createClientSocketTransport,
  generateRandomPipeName,
  StreamMessageReader,
  StreamMessageWriter,
  CancellationTokenSource,
} = require('vscode-languageserver-protocol/node');

function check(name, ok, why) {
  console.log(`${ok ? 'ok' : 'not ok'} ${transport}: ${name}${ok ? '' : `: ${JSON.stringify(why)}`}`);
}

async function connect() {
  const flags = { stdio: ['--stdio'], shared: ['--shared', '--idle-exit=3s'] }[transport] ?? [];
  let waiting;
  if (transport === 'pipe') {
    const name = generateRandomPipeName();
    waiting = await createClientPipeTransport(name);
    flags.push(`--pipe=${name}`);
  } else if (transport === 'socket') {
    const port = 20000 + (process.pid % 20000);
    waiting = await createClientSocketTransport(port);
    flags.push(`--socket=${port}`);
  }
  const server = spawn(process.env.CTX_LSP, ['serve', ...flags, `--clientProcessId=${process.pid}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [reader, writer] = waiting
    ? await waiting.onConnected()
    : [new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin)];
  const connection = createProtocolConnection(reader, writer);
  connection.listen();
  return { connection, server };
}

const { connection, server } = await connect();
const root = pathToFileURL(process.cwd()).href;
const asked = [];
const arrivals = new Map();
connection.onRequest((method, params) => {
  asked.push(method);
  if (method === 'workspace/configuration') return params.items.map(() => ({ model: 'gpt-5.5' }));
  return null;
});
connection.onNotification((method, params) => {
  if (!arrivals.has(method)) arrivals.set(method, []);
  arrivals.get(method).push(params);
});
const await_ = async (predicate) => {
  for (let i = 0; i < 400; i++) {
    const value = predicate();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
};

const started = await connection.sendRequest('initialize', {
  processId: process.pid,
  rootUri: root,
  workspaceFolders: [{ uri: root, name: 'workspace' }],
  clientInfo: { name: 'protocol' },
  capabilities: {
    general: { positionEncodings: ['utf-16'] },
    window: { workDoneProgress: true },
    workspace: {
      configuration: true,
      didChangeConfiguration: { dynamicRegistration: true },
      didChangeWatchedFiles: { dynamicRegistration: true },
      codeLens: { refreshSupport: true },
    },
    textDocument: { diagnostic: {}, hover: { contentFormat: ['markdown'] } },
  },
});
check('initialize', started.serverInfo.name === 'ctx-lsp' && started.capabilities.diagnosticProvider, started);
await connection.sendNotification('initialized', {});
check(
  'registers and asks for settings',
  await await_(() => asked.includes('client/registerCapability') && asked.includes('workspace/configuration')),
  asked,
);

const uri = `${root}/CLAUDE.md`;
const text = '# The project\n\nRead @docs/style.md 漢字 😀 @docs/gone.md first.\n';
await connection.sendNotification('textDocument/didOpen', {
  textDocument: { uri, languageId: 'markdown', version: 1, text },
});
const problems = await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
const line = text.split('\n')[2];
const r = problems.items[0]?.range ?? { start: {}, end: {} };
check(
  'pulled diagnostics',
  problems.items.length === 1 && line.slice(r.start.character, r.end.character) === '@docs/gone.md',
  problems,
);
const again = await connection.sendRequest('textDocument/diagnostic', {
  textDocument: { uri },
  previousResultId: problems.resultId,
});
check('unchanged diagnostics', again.kind === 'unchanged', again);
const hover = await connection.sendRequest('textDocument/hover', {
  textDocument: { uri },
  position: { line: 0, character: 0 },
});
check('hover', hover.contents.value.includes('In every request'), hover);
check('the model of the settings', hover.contents.value.includes('gpt-5.5'), hover);

const source = new CancellationTokenSource();
await connection.sendRequest('ctx/session/open', { id: 'chat', model: 'gpt-5.5' });
const many = Array.from({ length: 200 }, () =>
  connection.sendRequest('ctx/session/history', { id: 'chat' }, source.token).then(
    () => 'answered',
    (e) => e.code,
  ),
);
source.cancel();
const outcomes = await Promise.all(many);
check(
  'cancellation',
  outcomes.every((o) => o === 'answered' || o === -32800),
  outcomes,
);
await connection.sendRequest('ctx/session/usage', {
  id: 'chat',
  provider: 'openai',
  usage: { prompt_tokens: 50000, completion_tokens: 100, total_tokens: 50100 },
});
check(
  'ctx/reading',
  await await_(() => arrivals.get('ctx/reading')?.some((reading) => reading.used === 50100)),
  arrivals.get('ctx/reading')?.at(-1),
);

const exit = new Promise((resolve) => server.on('exit', resolve));
await connection.sendRequest('shutdown');
await connection.sendNotification('exit');
connection.end();
const code = await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 5000, 'no exit'))]);
check('exits with code 0', code === 0, code);
process.exit(0);
