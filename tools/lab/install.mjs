// Copyright The ctx-lsp authors. MIT licence.

// Installs agents, each into a folder of its own, so that they share no dependency: from npm the newest version, and
// from PyPI the version that python/AGENT/requirements.txt pins with its dependencies (lock.mjs writes it).
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
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

/** Returns a Python of this version or later, up to 3.13: newer ones may lack packages with compiled parts. */
export function pythonOf(version) {
  const found = ['3.10', '3.11', '3.12', '3.13']
    .slice(['3.10', '3.11', '3.12', '3.13'].indexOf(version))
    .map((each) => `python${each}`)
    .find((each) => spawnSync(each, ['--version']).status === 0);
  if (!found) throw new Error(`there is no Python ${version} to 3.13 on PATH`);
  return found;
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
