// Copyright The ctx-lsp authors. MIT licence.

// Writes python/AGENT/requirements.txt of the agents in Python: the newest versions of the dependencies, each with the
// checksums of its wheels for Linux on x86-64 and ARM. The agent's own version stays, unless another one is given.
//
//   UV=PROGRAM lock.mjs AGENT[==VERSION] …
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pythonOf, requirementsOf } from './install.mjs';

for (const each of process.argv.slice(2)) {
  const [id, given] = each.split('==');
  const { default: agent } = await import(`./agents/${id}.mjs`);
  const file = requirementsOf(agent);
  const now = existsSync(file) && new RegExp(`^${agent.package}==(\\S+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
  const version = given ?? now;
  if (!version) throw new Error(`which version of ${id}?`);
  const wheels = new Map(); // of "name==version", the checksums
  for (const platform of ['x86_64-unknown-linux-gnu', 'aarch64-unknown-linux-gnu']) {
    for (const [name, sums] of resolved(agent, version, platform)) {
      wheels.set(name, new Set([...(wheels.get(name) ?? []), ...sums]));
    }
  }
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = [...wheels].sort().map(([name, sums]) => `${name} \\\n${hashes(sums)}\n`);
  writeFileSync(file, lines.join(''));
  console.log(`${id} ${version}: ${wheels.size} packages`);
}

function hashes(sums) {
  return [...sums]
    .sort()
    .map((sum) => `    --hash=sha256:${sum}`)
    .join(' \\\n');
}

/** Returns the packages of an agent, and the checksums of their wheels for a platform. */
function resolved(agent, version, platform) {
  const python = execFileSync(pythonOf(agent.python), ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  });
  const args = [
    'pip',
    'compile',
    '--quiet',
    '--no-header',
    '--no-annotate',
    '--format=pylock.toml',
    '--python',
    python.trim(),
  ];
  const overrides = path.join(path.dirname(requirementsOf(agent)), 'overrides.txt');
  if (existsSync(overrides)) args.push('--override', overrides);
  const wanted = `${agent.package}${agent.extras ?? ''}==${version}\n`;
  const text = execFileSync(process.env.UV ?? 'uv', [...args, '--python-platform', platform, '-'], {
    input: wanted,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  return text
    .split('[[packages]]')
    .slice(1)
    .map((part) => {
      const name = `${/^name = "(.*)"/m.exec(part)[1]}==${/^version = "(.*)"/m.exec(part)[1]}`;
      const wheels = part.slice(part.indexOf('\nwheels = '));
      const sums = [...wheels.matchAll(/\.whl".*?sha256 = "([0-9a-f]{64})"/g)].map((each) => each[1]);
      if (sums.length === 0) throw new Error(`${name} has no wheel`);
      return [name, sums];
    });
}
