// Copyright The ctx-lsp authors. MIT licence.

// Keeps what an agent wrote as a fixture, testdata/agents/AGENT/VERSION/: its transcript, in which tools/accuracy
// replaces each text by one of ours with the same size, and the true sizes of its requests. It replaces the agent's
// older fixture. The store of an agent that writes no transcript is kept as rows, store.jsonl.zst; a test of
// internal/agents makes the store of them again, and its records are the transcript.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const top = path.resolve(import.meta.dirname, '../..');
const fixtures = path.join(top, 'testdata/agents');

export function record(agent, { version, phases }, root) {
  const phase = phases.find((each) => each.phase === 'record');
  const folder = path.join(fixtures, agent.id, version);
  rmSync(path.join(fixtures, agent.id), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const requests = phase.requests.filter((each) => each.kind === 'main').map((each) => each.input);
  writeFileSync(
    path.join(folder, 'lab.json'),
    `${JSON.stringify({ agent: agent.name, version, model: agent.model, requests }, null, 1)}\n`,
  );
  const home = path.join(root, 'record/home');
  const own = agent.store ? undefined : transcript(agent, home);
  const file = path.join(root, own ? path.basename(own) : 'store.jsonl');
  const text = own
    ? readFileSync(own, 'utf8')
    : agent
        .store(home)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join('');
  const run = path.join(agent.at ?? root, 'record');
  writeFileSync(file, text.replaceAll(run, '/home/user').replaceAll(top, '/home/user/lab'));
  const go = (...args) => execFileSync('go', args, { cwd: top, stdio: 'inherit' });
  const to = path.join(folder, `${own ? 'session' : 'store'}${path.extname(file)}.zst`);
  execFileSync(path.join(top, 'mk/tool.sh'), ['accuracy', '-session', file, '-model', agent.model, '-to', to], {
    cwd: top,
    stdio: 'inherit',
  });
  if (!own) go('test', './internal/agents', '-count=1', '-run=^TestStoresOfTheLab', '-update');
  list();
}

/** Returns the transcript of the session: the largest file. */
function transcript(agent, home) {
  if (agent.recorded) return path.join(home, agent.recorded);
  const folder = path.join(home, agent.sessions);
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => /\.jsonl?$/.test(file))
    .map((file) => path.join(folder, file));
  return files.reduce((a, b) => (statSync(a).size >= statSync(b).size ? a : b));
}

/** Writes the list of versions into docs/agents.md. */
export function list() {
  const rows = readdirSync(fixtures).flatMap((id) =>
    readdirSync(path.join(fixtures, id)).map((version) =>
      JSON.parse(readFileSync(path.join(fixtures, id, version, 'lab.json'), 'utf8')),
    ),
  );
  const row = (cells) => `|${cells.join('|')}|\n`;
  const text = row(rows.map(({ agent }) => agent)) + row(rows.map(() => '-')) + row(rows.map(({ version }) => version));
  const file = path.join(top, 'docs/agents.md');
  const document = readFileSync(file, 'utf8');
  const block = /(<!-- lab -->\n)[\s\S]*?(<!-- \/lab -->)/;
  if (!block.test(document)) throw new Error('docs/agents.md has no place for the versions of the lab');
  writeFileSync(file, document.replace(block, `$1\n${text}\n$2`));
}
