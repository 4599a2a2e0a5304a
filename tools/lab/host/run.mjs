// Copyright The ctx-lsp authors. MIT licence.

// Runs sessions of three agents in VS Code's Agent Host, offline, and checks that ctx-lsp finds, names, places and
// measures them, on a machine whose variables name other folders of these agents. run.sh starts it.
//
//   run.mjs PROGRAM [FOLDER]    the ctx-lsp to check; where the run keeps its files, else a folder that is removed
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hostSdks, hostWorkbench, newestProgram } from '../../../extensions/vscode/test/install.mjs';
import { startHost } from './agenthost.mjs';
import { limits, modelOf, startProvider, title } from './provider.mjs';

const program = path.resolve(process.argv[2]);
const kept = process.argv[3];
const root = kept ? path.resolve(kept) : mkdtempSync(path.join(tmpdir(), 'ctx-lab-host-'));
const hostName = 'VS Code Agent Host';

let passed = 0;
let failed = 0;
function check(what, ok, shown) {
  if (ok) passed++;
  else {
    failed++;
    console.log(`FAIL ${what}: ${JSON.stringify(shown)}`);
  }
}

/** Each session of the host: its agent, the model, and the model's interface. */
const wanted = [
  { name: 'Copilot, Chat Completions', agent: 'copilot-cli', provider: 'copilotcli', model: modelOf.chat, api: 'chat' },
  {
    name: 'Copilot, Responses',
    agent: 'copilot-cli',
    provider: 'copilotcli',
    model: modelOf.responses,
    api: 'responses',
  },
  { name: 'Copilot, Messages', agent: 'copilot-cli', provider: 'copilotcli', model: modelOf.messages, api: 'messages' },
  {
    name: 'Claude',
    agent: 'claude-code',
    provider: 'claude',
    model: `@provider=copilot:${modelOf.messages}`,
    api: 'messages',
  },
  {
    name: 'Codex',
    agent: 'codex',
    provider: 'codex',
    model: `@provider=vscode-proxy:${modelOf.responses}`,
    api: 'responses',
  },
];

const git = ['-c', 'user.name=lab', '-c', 'user.email=lab@localhost'];
for (const [i, session] of wanted.entries()) {
  session.workspace = path.join(root, `work-${i}`);
  mkdirSync(session.workspace, { recursive: true });
  writeFileSync(
    path.join(session.workspace, 'README.md'),
    '# A small project\n\nIt has one file, which an agent can read.\n',
  );
  const run = (...args) => execFileSync('git', [...git, ...args], { cwd: session.workspace, stdio: 'ignore' });
  run('init', '--quiet', '.');
  run('add', '--all');
  run('commit', '--quiet', '--message', 'Begin');
}

const provider = await startProvider();
const host = await startHost({
  program: newestProgram,
  workbench: hostWorkbench,
  root,
  origin: provider.origin,
  env: {
    VSCODE_AGENT_HOST_CLAUDE_SDK_ROOT: hostSdks,
    VSCODE_AGENT_HOST_CODEX_SDK_ROOT: hostSdks,
    VSCODE_AGENT_HOST_CODEX_AGENT_ENABLED: 'true',
    CLAUDE_CONFIG_DIR: path.join(root, 'claude-elsewhere'),
  },
});

/** What ctx-lsp says, in a shell whose variables name other folders than those that the host uses. */
function ask(cwd, ...args) {
  const text = execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: {
      HOME: host.home,
      PATH: '/usr/bin:/bin',
      CLAUDE_CONFIG_DIR: path.join(root, 'claude-elsewhere'),
      COPILOT_HOME: path.join(root, 'copilot-elsewhere'),
      CODEX_HOME: path.join(root, 'codex-elsewhere'),
    },
  });
  return JSON.parse(text);
}

/** The usages that the host keeps of a session's turns, in their order. */
function usages(database) {
  const db = new DatabaseSync(database, { readOnly: true, timeout: 10_000 });
  try {
    return db
      .prepare('SELECT u.usage FROM turn_usage u JOIN turns t ON t.id = u.turn_id ORDER BY t.rowid')
      .all()
      .map((row) => JSON.parse(row.usage));
  } finally {
    db.close();
  }
}

/** Whether the host kept Copilot's own composition and limit of a turn. It drops both if they arrive late. */
const composed = (usage) => usage?._meta?.contextAttribution !== undefined;
const measures = (session) => session.agent !== 'copilot-cli' || composed(session.kept().at(-1));

const rows = [['session', 'used', 'of', 'true prompt', 'host', 'title']];
try {
  for (const [i, session] of wanted.entries()) {
    const id = `${i + 1}0000000-0000-4000-8000-000000000000`;
    const from = provider.requests.length;
    const send = await host.createSession(session.provider, id, session.workspace, session.model);
    // The host requests Copilot's composition during a turn, and drops it if it arrives after the turn.
    session.kept = () => usages(path.join(host.data, 'agentSessionData', id, 'session.db'));
    await send('Please read README.md');
    for (let tries = 0; tries < 5 && (tries === 0 || !measures(session)); tries++)
      await send('And what is missing in it?');
    // A host's session ends with a request of its conversation; those that name it are short.
    const own = provider.requests.slice(from).filter((request) => request.api === session.api && request.prompt > 2000);
    session.prompt = own.at(-1)?.prompt;
    session.cached = own.at(-1)?.cached;
    check(`${session.name} made requests`, own.length >= 2, own);
  }
  const listed = ask(root, 'sessions', '--json').sessions;
  check(
    'all sessions are found, each once',
    listed.length === wanted.length,
    listed.map((each) => [each.agent, each.path]),
  );
  for (const session of wanted) {
    const found = listed.find((each) => each.workspace === session.workspace);
    check(
      `${session.name} is found in its folder`,
      found?.agent === session.agent,
      found ?? listed.map((each) => each.workspace),
    );
    if (!found) continue;
    check(`${session.name} runs in the host`, found.host === hostName, found.host);
    check(`${session.name} has the host's title`, found.title === title, found.title);
    const reading = ask(session.workspace, 'status', '--json');
    check(`${session.name} is the session of its folder`, reading.session === found.session, reading.session);
    check(`status says where ${session.name} runs`, reading.host === hostName, reading.host);
    check(`${session.name} is measured`, reading.lastRequest?.in === session.prompt, [
      reading.lastRequest,
      session.prompt,
    ]);
    // Copilot's numbers include the cache and Claude's do not; both agents' prompts are right above.
    const [last] = session.kept().slice(-1);
    const inside = session.agent !== 'claude-code';
    check(
      `the host has the last request of ${session.name}`,
      last?.inputTokens === session.prompt - (inside ? 0 : session.cached),
      last,
    );
    check(
      `the cache is ${inside ? 'in' : 'beside'} the input of ${session.name}`,
      last?.cacheReadTokens === session.cached,
      last,
    );
    if (session.agent === 'copilot-cli' && session.kept().some(composed)) {
      check(`${session.name} has the lower limit`, reading.limit === limits.prompt, reading.limit);
      check(`${session.name} compacts at 102,400`, reading.compaction.threshold === 102_400, reading.compaction);
      check(
        `${session.name} shows the last turn's composition`,
        Boolean(reading.agentOwn?.counts) === measures(session),
        reading.agentOwn,
      );
    }
    rows.push([
      session.name,
      reading.display.number,
      reading.display.limit,
      String(session.prompt),
      found.host ?? '',
      found.title ?? '',
    ]);
    session.counts = reading.agentOwn?.counts?.text;
  }
  const compositions = wanted.flatMap((session) => session.kept().filter(composed));
  check('the host kept the composition of a turn', compositions.length > 0, compositions.length);
} finally {
  await host.stop();
  provider.close();
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    );
  for (const { name, counts } of wanted) if (counts) console.log(`${name}: ${counts}`);
  if (!kept) rmSync(root, { recursive: true, force: true });
  else console.log(`kept in ${root}: ${readdirSync(root).join(' ')}`);
}
console.log(`lab-host: ${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
