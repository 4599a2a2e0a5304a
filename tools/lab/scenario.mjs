// Copyright The ctx-lsp authors. MIT licence.

// Runs one agent, inside of the network namespace that lab.mjs made. Each phase has a home, a folder and a provider of
// its own: `session` (thirteen steps, a large output, a sub-agent, MCP, a skill, resume, compaction by hand),
// `threshold` (a small window, until the agent compacts), and the turning points of phases.mjs.
//
//   scenario.mjs AGENT PROGRAM FOLDER     the agent's id, the ctx-lsp to check, and where the run keeps its files
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asker, observe, seen } from './asking.mjs';
import { programOf } from './install.mjs';
import { phases as turningPoints } from './phases.mjs';
import { startProvider } from './provider/provider.mjs';
import { vocabularies } from './provider/tokenizer.mjs';
import { inTerminal, typeAll } from './terminal.mjs';
import { watch } from './watching.mjs';
import { givenTo, makeWorkspace, mcpServer } from './workspace.mjs';

const [, , id, program, root] = process.argv;
const { default: agent } = await import(`./agents/${id}.mjs`);
const packs = process.env.LAB_PACKS;

const usual =
  'ls,read:README.md,mcp:3,bash:git log -1,read:src/steps.go,write:notes.md:120,big:20,skill:labskill,task:ls;read:README.md,read:notes.md+ls,bash:false,bash:git status,bash:date';
const rest = usual.split(',').slice(3).join(',');
const script = agent.script ? `${agent.script},${rest}` : usual;

/** Makes the home of a phase, and returns what runs the agent and ctx-lsp in it. */
async function open(phase, small, watched = false) {
  const at = (name) => path.join(root, phase, name);
  const home = at('home');
  const folder = at('work');
  const calls = at('calls.tsv');
  mkdirSync(path.join(home, '.local/share/ctx-lsp/vocab'), { recursive: true });
  mkdirSync(at('bin'), { recursive: true });
  mkdirSync(at('run'), { recursive: true, mode: 0o700 });
  makeWorkspace(folder, agent.workspace);
  copyFileSync(path.join(import.meta.dirname, 'shim.sh'), at('bin/ctx-lsp'));
  const programs = [agent.program, ...(agent.helpers ?? [])].map((name) => path.dirname(programOf(agent, name)));
  const base = {
    HOME: home,
    PATH: [at('bin'), ...programs, path.dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin'].join(':'),
    XDG_RUNTIME_DIR: at('run'),
    TMPDIR: at('run'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    DO_NOT_TRACK: '1',
    LAB_PROGRAM: program,
    LAB_CALLS: calls,
    LAB_LINES: at('lines.tsv'),
  };
  const user = { ...base }; // what the user's shell has, the agent's variables too
  const ask = asker(program, folder, user);
  if (packs) {
    for (const name of readdirSync(packs)) {
      copyFileSync(path.join(packs, name), path.join(home, '.local/share/ctx-lsp/vocab', name));
    }
  }
  const added = vocabularies[agent.family];
  for (const name of added?.names ?? []) await ask(['vocab', 'add', name, added.file]);
  let watching; // from the first request on, since an agent's folders may not exist before
  const lab = { folder, home, at };
  const provider = await startProvider({
    ...agent,
    folder,
    given: givenTo(agent),
    packs,
    log: at('requests.jsonl'),
    bodies: at('bodies'),
    // The agent writes its records while the request waits.
    ask: async () => {
      watching ??= watch(program, folder, user, at('top.txt'));
      await new Promise((later) => setTimeout(later, 350));
      const said = await observe(ask, { watching, lines: at('lines.tsv') });
      if (lab.sight) said.sight = await seen(ask, folder);
      return said;
    },
    note: (row) => {
      if (lab.turn) row.turn = lab.turn;
      lab.turn = undefined;
    },
    // The user interrupts the agent while the request waits.
    hang: (_, response) => {
      lab.child?.kill('SIGINT');
      setTimeout(() => response.destroy(), 3000);
      setTimeout(() => lab.child?.kill('SIGTERM'), 8000);
    },
    after: 'ls,bash:echo after',
  });
  const made = { origin: provider.origin, folder, server: mcpServer, small, home, watched };
  for (const [name, text] of Object.entries(agent.files(made))) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
  const env = Object.assign(user, agent.environment(made));
  const run = (args, limit = 400_000) =>
    new Promise((resolve) => {
      const command = agent.node ? [process.execPath, programOf(agent), ...args] : [programOf(agent), ...args];
      const child = execFile(
        command[0],
        command.slice(1),
        { cwd: folder, env, maxBuffer: 1 << 26, timeout: limit },
        (error, output, errors) => {
          writeFileSync(at('output.txt'), `$ ${args.join(' ')}\n${output}${errors}\n`, { flag: 'a' });
          resolve({ code: error ? (error.code ?? error.signal) : 0, text: `${output}${errors}` });
        },
      );
      lab.child = child;
      child.stdin.end();
    });
  if (agent.before) await run(agent.before(made));
  const end = () => watching?.end();
  return Object.assign(lab, { made, provider, ask, run, calls, env, end });
}

/** What is left of a phase when the agent has ended: what replay and doctor say of its files. */
async function close({ provider, ask, home, folder, calls, end, streams }, phase, small) {
  end();
  provider.close();
  const replay = await ask(['replay', '--json', ...replayed(home)]);
  const doctor = await ask(['doctor', '--json']);
  const sessions = await ask(['sessions', '--json']);
  const noted = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  return {
    phase,
    small,
    folder,
    streams,
    requests: provider.requests,
    replay: replay.output ? JSON.parse(replay.output) : { error: replay.errors },
    replayErrors: replay.errors,
    doctor: JSON.parse(doctor.output),
    sessions: JSON.parse(sessions.output).sessions,
    calls: noted.map((line) => ({ code: Number(line.split('\t')[0]), what: line.split('\t')[1] })),
  };
}

const replayed = (home) => (agent.replays ? agent.replays(home) : [path.join(home, agent.sessions)]);

/** A short session in a terminal, with ctx-lsp as hook and as status line. */
async function watched() {
  const lab = await open('terminal', undefined, true);
  const done = () => lab.provider.requests.some(ended);
  const where = { cwd: lab.folder, env: lab.env, socket: lab.at('run/tmux') };
  const prompt = 'Please run the lab script LAB[ls,read:README.md,bash:date]';
  const screen = await inTerminal([programOf(agent), ...agent.terminal], where, prompt, done);
  writeFileSync(lab.at('output.txt'), screen);
  return close(lab, 'terminal');
}

/** Continues the session with a prompt or a command of the agent: in a terminal where it has no other way. */
async function resume(lab, text, compacts = false, options = {}) {
  if (agent.resume && !(compacts && agent.typed)) return lab.run(agent.resume(text, options));
  const before = lab.provider.requests.length;
  const done = () =>
    lab.provider.requests.slice(before).some((each) => (compacts ? each.kind === 'compaction' : ended(each)));
  const where = { cwd: lab.folder, env: lab.env, socket: lab.at('run/tmux') };
  const screen = await inTerminal([programOf(agent), ...agent.typed(lab)], where, text, done);
  writeFileSync(lab.at('output.txt'), `$ ${text}\n${screen}\n`, { flag: 'a' });
}
const ended = (each) => each.kind === 'main' && !each.step;
const continues = agent.resume || agent.typed;

/** A compaction by command, and what follows it. */
async function compactByHand(lab, text) {
  if (!agent.compact) return;
  await resume(lab, agent.compact, true);
  await resume(lab, text);
}

/** A short session for a fixture: calls that succeed and fail, a resume, and a compaction by command. */
async function recorded() {
  const lab = await open('record');
  const tools = agent.script?.includes('search') ? 'search:3,mcp:3' : 'mcp:3';
  await lab.run(agent.prompt(`Please run the lab script LAB[ls,write:notes.md:40,read:notes.md,${tools},bash:false]`));
  if (continues) await resume(lab, 'And now the second LAB[ls+bash:date]');
  await compactByHand(lab, 'And a third LAB[ls]');
  if (agent.export) await agent.export(lab);
  return close(lab, 'record');
}

const phases = [];
const chosen = process.env.LAB_PHASES.split(',').filter(Boolean);
const names = ['session', 'terminal', 'threshold', ...turningPoints.map(({ name }) => name)];
const wanted = chosen.length > 0 ? chosen : names;
if (wanted.includes('session')) {
  const lab = await open('session');
  await lab.run(agent.prompt(`Please run the lab script LAB[${script}]`));
  if (continues) await resume(lab, 'And now the second LAB[ls,read:notes.md,bash:echo two]');
  await compactByHand(lab, 'And a third LAB[ls,bash:echo three]');
  phases.push(await close(lab, 'session'));
}
if (wanted.includes('terminal') && agent.terminal) phases.push(await watched());
if (wanted.includes('threshold') && agent.window) {
  const lab = await open('threshold', agent.window);
  // About 2,500 tokens a step, so that the sizes before and after the threshold are close.
  const steps = Array.from({ length: agent.steps ?? 26 }, (_, i) => `big:${5 + (i % 2)}`);
  const compacted = () => lab.provider.requests.some((each) => each.kind === 'compaction');
  if (agent.turns) {
    // It compacts between turns, so each has one step.
    await lab.run(agent.prompt(`Please run the lab script LAB[${steps[0]}]`));
    for (const step of steps.slice(1)) if (!compacted()) await resume(lab, `Go on with LAB[${step}]`);
  } else await lab.run(agent.prompt(`Please run the lab script LAB[${steps.join(',')}]`));
  await resume(lab, 'And now LAB[ls,bash:echo two]');
  phases.push(await close(lab, 'threshold', agent.window));
}
for (const { name, can, run } of turningPoints) {
  if (!wanted.includes(name) || !continues || (can && !can(agent))) continue;
  const lab = await open(name);
  const more = (text, options) => resume(lab, text, false, options);
  const where = { cwd: lab.folder, env: lab.env, socket: lab.at('run/tmux') };
  const typed = async (args, steps) => {
    const note = (turn) => {
      lab.turn = turn;
    };
    const ends = () => lab.provider.requests.filter(ended).length;
    writeFileSync(lab.at('output.txt'), await typeAll([programOf(agent), ...args], where, steps, ends, note));
  };
  const compact = () => resume(lab, agent.compact, true);
  await run({ lab, agent, resume: more, typed, compact });
  phases.push({ ...(await close(lab, name)), turning: true });
}
if (wanted.includes('record')) phases.push(await recorded());
writeFileSync(path.join(root, 'result.json'), JSON.stringify({ agent: id, phases }, null, 1));
