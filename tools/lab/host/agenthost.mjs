// Copyright The ctx-lsp authors. MIT licence.

// Starts VS Code's Agent Host, as code-server contains it, and is its client: creates sessions and sends messages. It
// runs on this machine alone, with a home, a folder of data and a token of its own.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

/** How long the host may take to start, to answer, or to end a turn. */
const patience = 120_000;

/**
 * Starts the host.
 * @param {{ program: string, workbench: string, root: string, origin: string, env?: Record<string, string> }} options
 *   the Node.js that runs it, its folder, where the run keeps its files, the provider's address, further variables
 */
export async function startHost({ program, workbench, root, origin, env = {} }) {
  const home = path.join(root, 'home');
  const data = path.join(home, '.config/Code'); // where the editor has it, and ctx-lsp looks
  const token = randomUUID();
  const port = await freePort();
  for (const folder of [home, data]) mkdirSync(folder, { recursive: true });
  const log = openSync(path.join(root, 'host.log'), 'a');
  const child = spawn(
    program,
    ['out/bootstrap-fork.js', '--type=agentHost', '--user-data-dir', data, '--logsPath', path.join(root, 'logs')],
    {
      cwd: workbench,
      stdio: ['ignore', log, log],
      env: {
        HOME: home,
        PATH: `${path.dirname(program)}:/usr/bin:/bin`,
        VSCODE_ESM_ENTRYPOINT: 'vs/platform/agentHost/node/agentHostMain',
        VSCODE_AGENT_HOST_PORT: String(port),
        VSCODE_AGENT_HOST_CONNECTION_TOKEN: token,
        // Both only reach this machine: the host refuses any other address here.
        VSCODE_AGENT_HOST_CAPI_URL_OVERRIDE: origin,
        COPILOT_API_URL: origin,
        COPILOT_DEBUG_GITHUB_API_URL: origin,
        GIT_AUTHOR_NAME: 'lab',
        GIT_AUTHOR_EMAIL: 'lab@localhost',
        GIT_COMMITTER_NAME: 'lab',
        GIT_COMMITTER_EMAIL: 'lab@localhost',
        VSCODE_NLS_CONFIG: JSON.stringify({
          userLocale: 'en',
          osLocale: 'en',
          resolvedLanguage: 'en',
          defaultMessagesFile: path.join(workbench, 'out/nls.messages.json'),
        }),
        ...env,
      },
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const client = await connect(`ws://127.0.0.1:${port}/?tkn=${token}`, child);
  await client.request('initialize', {
    protocolVersions: ['0.9.0'],
    clientId: 'lab',
    clientInfo: { name: 'lab', version: '1' },
    capabilities: {},
  });
  const models = client.awaitAction('root/agentsChanged', (action) =>
    action.agents.every((agent) => agent.models.length > 0),
  );
  await client.request('subscribe', { channel: 'ahp-root://' });
  await client.request('authenticate', {
    resource: 'https://api.github.com',
    token: 'lab',
    scopes: ['read:user', 'user:email'],
  });
  await models;
  return {
    home,
    data,
    createSession: (provider, id, workspace, model) => createSession(client, provider, id, workspace, model),
    sessions: async () => (await client.request('listSessions', {})).items,
    async stop() {
      client.close();
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Creates a session, and returns a function that sends it a message and waits until its turn has ended. */
async function createSession(client, provider, id, workspace, model) {
  const channel = `${provider}:/${id}`;
  await client.request('createSession', { channel, provider, workingDirectories: [`file://${workspace}`] });
  const { snapshot } = await client.request('subscribe', { channel });
  const chat = snapshot.state.defaultChat;
  await client.request('subscribe', { channel: chat });
  return async (text) => {
    const turnId = randomUUID();
    const over = client.awaitAction(
      (type) => type === 'chat/turnComplete' || type === 'chat/error',
      (action) => action.turnId === turnId,
    );
    const message = { text, origin: { kind: 'user' }, ...(model ? { model: { id: model } } : {}) };
    client.dispatch(chat, { type: 'chat/turnStarted', turnId, startedAt: new Date().toISOString(), message });
    const action = await over;
    if (action.type === 'chat/error') throw new Error(`${channel}: ${JSON.stringify(action)}`);
    return turnId;
  };
}

async function connect(address, child) {
  const deadline = Date.now() + patience;
  let socket;
  while (!socket) {
    if (child.exitCode !== null) throw new Error(`the host ended with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error('the host did not listen');
    socket = await opened(address);
    if (!socket) await new Promise((again) => setTimeout(again, 200));
  }
  let last = 0;
  let sequence = 0;
  const pending = new Map();
  const awaited = new Set();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.method && message.id !== undefined) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }));
    } else if (pending.has(message.id)) {
      const { resolve, reject } = pending.get(message.id);
      pending.delete(message.id);
      message.error ? reject(new Error(JSON.stringify(message.error))) : resolve(message.result);
    }
    const action = message.params?.action;
    if (action) {
      for (const wait of awaited) wait(action);
      // Whatever the agent wants to do, it may: its home and its folder are those of the run.
      if (action.type === 'chat/toolCallReady' && !action.confirmed) {
        const { turnId, toolCallId } = action;
        client.dispatch(message.params.channel, {
          type: 'chat/toolCallConfirmed',
          turnId,
          toolCallId,
          approved: true,
          confirmed: 'user-action',
        });
      }
    }
  };
  const send = (message) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const within = (promise, what) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${what}: no answer in ${patience / 1000} s`)), patience);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  };
  const client = {
    request(method, params) {
      const id = ++last;
      const answer = new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
      send({ id, method, params });
      return within(answer, method);
    },
    dispatch: (channel, action) =>
      send({ method: 'dispatchAction', params: { channel, clientSeq: ++sequence, action } }),
    /** Resolves with the next action of a type that satisfies a condition. */
    awaitAction(type, condition) {
      const fits = typeof type === 'string' ? (t) => t === type : type;
      let wait;
      const found = new Promise((resolve) => {
        wait = (action) => fits(action.type) && condition(action) && resolve(action);
        awaited.add(wait);
      });
      return within(found, String(type)).finally(() => awaited.delete(wait));
    },
    close: () => socket.close(),
  };
  return client;
}

function opened(address) {
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => resolve(socket);
    socket.onerror = () => resolve(undefined);
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
