// Copyright The ctx-lsp authors. MIT licence.

// Installs agents, each into a folder of its own, so that they share no dependency: from npm the newest version, and
// from PyPI the version that python/AGENT/requirements.txt pins with its dependencies (lock.mjs writes it).
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../.cache/lab');
mkdirSync(folder, { recursive: true });
/** Where the lab keeps its files. Agents record real paths, so it is one. */
export const cache = realpathSync(folder);
export const folderOf = (agent) => path.join(cache, 'agents', agent.id);

/** Returns the program of a package of the agent. */
export const programOf = (agent, name = agent.program) =>
  path.join(folderOf(agent), agent.python ? 'bin' : 'node_modules/.bin', name);

/** Installs an agent and returns its version. `keep` uses what is installed already. */
export function install(agent, keep = false) {
  if (agent.python) return installPython(agent, keep);
  const folder = folderOf(agent);
  const manifest = path.join(folder, 'node_modules', agent.package, 'package.json');
  if (!keep || !existsSync(manifest)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
    const wanted = [`${agent.package}@latest`, ...(agent.also ?? [])];
    execFileSync('npm', ['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error', ...wanted], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 600_000,
    });
  }
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** Where the packages of an agent in Python are pinned. */
export const requirementsOf = (agent) => path.join(import.meta.dirname, 'python', agent.id, 'requirements.txt');

/**
 * Returns a Python of this version or later, up to 3.13: newer ones may lack packages with compiled parts. A program on
 * PATH may be pyenv's shim of a version that is not selected, so pyenv's own versions are tried, too.
 */
export function pythonOf(version, { pyenv = process.env.PYENV_ROOT ?? path.join(os.homedir(), '.pyenv') } = {}) {
  const all = ['3.10', '3.11', '3.12', '3.13'];
  const versions = path.join(pyenv, 'versions');
  const kept = existsSync(versions) ? readdirSync(versions).map((name) => path.join(versions, name, 'bin')) : [];
  const found = all
    .slice(all.indexOf(version))
    .flatMap((each) => [`python${each}`, ...kept.map((folder) => path.join(folder, `python${each}`))])
    .find((each) => spawnSync(each, ['--version']).status === 0);
  if (!found) throw new Error(`there is no Python ${version} to 3.13 on PATH or in ${versions}`);
  return found;
}

/** Returns what the registry says of an agent's package: its newest version, its date, and whether it is deprecated. */
export function registryOf(agent) {
  if (agent.python) {
    const asked = ['-m', 'pip', 'index', 'versions', '--disable-pip-version-check', agent.package];
    const python = path.join(folderOf(agent), 'bin/python');
    const { stdout } = spawnSync(python, asked, { encoding: 'utf8', timeout: 60_000 });
    return { latest: /\(([^)]+)\)/.exec(stdout ?? '')?.[1] };
  }
  const named = agent.main ?? agent.package;
  const asked = ['view', named, '--json', 'version', 'deprecated', 'time'];
  const { stdout } = spawnSync('npm', asked, { encoding: 'utf8', timeout: 60_000 });
  const { version, deprecated, time } = JSON.parse(stdout || '{}');
  return { latest: version, deprecated, released: time?.[version] };
}

/** After so many days without a release, a package may have a new name. */
const stale = 90;

/** Returns what a user of the lab should know of a package, as sentences: that the tested version is not the newest. */
export function news({ version, latest, deprecated, released }, now = Date.now()) {
  const list = [];
  if (latest && latest !== version) list.push(`${latest} is released; ${version} was tested`);
  if (deprecated) list.push(`the package is deprecated: ${deprecated}`);
  const days = Math.floor((now - new Date(released)) / 86_400_000);
  if (!deprecated && days > stale) list.push(`the package has had no release for ${days} days: it may have a new name`);
  return list;
}

function installPython(agent, keep) {
  const folder = folderOf(agent);
  if (!keep || !existsSync(path.join(folder, 'ready'))) {
    const script = path.resolve(import.meta.dirname, '../../mk/python.sh');
    execFileSync('bash', [script, folder, requirementsOf(agent)], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PYTHON: pythonOf(agent.python), PYTHON_NO_DEPS: '1' },
      timeout: 1_200_000,
    });
  }
  const asked = 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))';
  return execFileSync(path.join(folder, 'bin/python'), ['-c', asked, agent.package], { encoding: 'utf8' }).trim();
}
