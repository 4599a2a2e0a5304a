// Copyright The ctx-lsp authors. MIT licence.

// Installs the newest version of an agent from npm, each into a folder of its own, so that they share no dependency.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const cache = path.resolve(import.meta.dirname, '../../.cache/lab');
export const folderOf = (agent) => path.join(cache, 'agents', agent.id);

/** Returns the program of a package of the agent. */
export const programOf = (agent, name = agent.program) => path.join(folderOf(agent), 'node_modules/.bin', name);

/** Installs an agent and returns its version. `keep` uses what is installed already. */
export function install(agent, keep = false) {
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
