// Copyright The ctx-lsp authors. MIT licence.

// Runs coding agents, the newest of npm and pinned ones of PyPI, offline, against a scripted provider, and checks
// ctx-lsp on what they write. Prints a table; the exit code is 1 if anything fails.
//
//   lab.mjs PROGRAM [--agent=ID,ID] [--installed] [--judge | --record]
//
// --installed uses the versions that are installed already, --judge only judges the last run again; --phases=NAME,NAME
// runs some. --record runs a short session and keeps what the agent wrote as a fixture (record.mjs). Files are kept in
// .cache/lab: agents, and runs/AGENT with the agent's homes, request bodies and a log.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cache, install, news, registryOf } from './install.mjs';
import { judge } from './judge.mjs';
import * as chat from './provider/chat.mjs';
import * as gemini from './provider/gemini.mjs';
import * as messages from './provider/messages.mjs';
import * as responses from './provider/responses.mjs';
import { record } from './record.mjs';
import { judgeSight, sightRates } from './sightjudge.mjs';
import { points, sightLines, table } from './table.mjs';
import { judgeRates, judgeTurning } from './turning.mjs';

const apis = { chat, gemini, messages, responses };
const options = new Map(process.argv.slice(3).map((each) => each.replace(/^--/, '').split('=')));
const program = path.resolve(process.argv[2]);
if (process.platform !== 'linux') {
  console.log('lab: skipped, because it needs Linux');
  process.exit(0);
}

const known = readdirSync(path.join(import.meta.dirname, 'agents')).map((file) => path.basename(file, '.mjs'));
const wanted = options.get('agent')?.split(',').filter(Boolean) ?? known;
for (const id of wanted) {
  if (!known.includes(id)) {
    console.error(`lab: there is no agent ${id}: ${known.join(', ')}`);
    process.exit(2);
  }
}

const packs = options.has('judge') ? undefined : claudePacks();
const results = [];
for (const id of wanted) {
  const { default: agent } = await import(`./agents/${id}.mjs`);
  const root = path.join(cache, 'runs', id);
  const file = path.join(root, 'result.json');
  try {
    if (!options.has('judge')) run(agent, root);
    if (!existsSync(file)) throw new Error(`it was not run: there is no ${file}`);
    const result = JSON.parse(readFileSync(file, 'utf8'));
    for (const phase of result.phases) Object.assign(phase, { compacts: agent.compacts, unplaced: agent.unplaced });
    if (options.has('record')) record(agent, result, root);
    const turned = result.phases.map((phase) => ({ phase: phase.phase, ...judgeTurning(phase) }));
    const rates = judgeRates(turned.map((each) => each.numbers));
    const { numbers, failures } = judge(result);
    for (const each of turned) failures.push(...each.failures.map((text) => `${each.phase}: ${text}`));
    failures.push(...rates.failures);
    const sight = sights(result, root, failures);
    results.push({ name: agent.name, version: result.version, numbers, failures, turned, rates, sight });
  } catch (error) {
    const numbers = { requests: 0, errors: [], estimates: [], covered: 0, found: 0, missed: 0 };
    results.push({
      name: agent.name,
      version: '-',
      numbers,
      failures: [`could not be run: ${error.message.split('\n')[0]}`],
    });
  }
}

/** Judges the sight phase by the bodies of its requests; undefined if it was not run. */
function sights({ phases }, root, failures) {
  const phase = phases.find((each) => each.phase === 'sight');
  if (!phase) return undefined;
  const itemsOf = ({ api, number }) => {
    const file = path.join(root, 'sight/bodies', `${String(number).padStart(3, '0')}.json`);
    return apis[api].read(JSON.parse(readFileSync(file, 'utf8'))).items;
  };
  const sight = judgeSight(phase, itemsOf);
  failures.push(...sight.failures.slice(0, 5).map((text) => `sight: ${text}`), ...sightRates(sight).failures);
  return sight;
}

/**
 * Returns a folder with the vocabularies of Claude, added from CTX_VOCABULARIES or downloaded from their public
 * address. Returns undefined if that fails.
 */
function claudePacks() {
  const data = path.join(cache, 'data');
  const folder = path.join(data, 'ctx-lsp/vocab');
  const given = process.env.CTX_VOCABULARIES && path.join(process.env.CTX_VOCABULARIES, 'claude');
  const files = given && existsSync(given) ? readdirSync(given).filter((file) => /^pieces.*json$/.test(file)) : [];
  const args =
    files.length > 0 ? ['add', 'claude', ...files.map((file) => path.join(given, file))] : ['fetch', 'claude', '--yes'];
  try {
    if (!existsSync(folder))
      execFileSync(program, ['vocab', ...args], {
        env: { ...process.env, XDG_DATA_HOME: data },
        stdio: 'ignore',
        timeout: 120_000,
      });
    return folder;
  } catch {
    console.error('lab: there is no vocabulary of Claude, so its texts are estimated');
    return undefined;
  }
}

function run(agent, root) {
  const version = install(agent, options.has('installed'));
  console.error(`${agent.name} ${version} …`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  execFileSync(
    path.join(import.meta.dirname, 'inside.sh'),
    [process.execPath, path.join(import.meta.dirname, 'scenario.mjs'), agent.id, program, agent.at ?? root],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        LAB_PACKS: packs ?? '',
        LAB_ROOT: root,
        LAB_AT: agent.at ?? '',
        LAB_PHASES: options.has('record') ? 'record' : (options.get('phases') ?? ''),
      },
      timeout: 3_000_000,
    },
  );
  const file = path.join(root, 'result.json');
  writeFileSync(file, JSON.stringify({ version, ...JSON.parse(readFileSync(file, 'utf8')) }));
}

if (!options.has('judge')) {
  for (const [i, { version }] of results.entries()) {
    const { default: agent } = await import(`./agents/${wanted[i]}.mjs`);
    results[i].news = version === '-' ? [] : news({ version, ...registryOf(agent) });
  }
}

const text = `${table(results)}\n${points(results)}\n${sightLines(results)}`;
console.log(text);
writeFileSync(path.join(cache, 'table.md'), text);
const failed = results.filter((each) => each.failures.length > 0).length;
console.log(`lab: ${results.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
