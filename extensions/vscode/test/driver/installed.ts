// Copyright The ctx-lsp authors. MIT licence.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { must, until } from './workbench';

/** The editor's saved data about its built-in extensions. */
const builtIn = 'CachedProfilesData';

/**
 * Lays packed extensions into the directory of an editor. The editor's own command installs each choice of them once in
 * a run; every editor gets a copy, whose files are links, in a fraction of the time. The data of the editor get what
 * that command found out about the extensions of the editor itself.
 */
export async function installInto(
  extensions: string,
  data: string,
  packed: string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const key = createHash('sha256')
    .update([must('CTX_TEST_CODE_SERVER'), ...packed].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const made = path.join(must('CTX_TEST_MADE'), key);
  const list = path.join(made, 'extensions/extensions.json');
  if (isFirst(made)) {
    make(made, packed, env);
  }
  await until(async () => fs.existsSync(path.join(made, 'finished')), 60_000, `the installed ${packed.join(' ')}`);
  copy(path.join(made, 'extensions'), extensions);
  if (fs.existsSync(path.join(made, 'data', builtIn))) {
    fs.cpSync(path.join(made, 'data', builtIn), path.join(data, builtIn), { recursive: true });
  }
  const own = path.join(extensions, 'extensions.json');
  fs.rmSync(own);
  fs.writeFileSync(own, fs.readFileSync(list, 'utf8').replaceAll(path.dirname(list), extensions));
}

/** Reports whether this is the first process that wants a directory; the others wait for it. */
function isFirst(dir: string): boolean {
  fs.mkdirSync(path.dirname(dir), { recursive: true });
  try {
    fs.mkdirSync(dir);
    return true;
  } catch {
    return false;
  }
}

function make(made: string, packed: string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr, stdout } = spawnSync(
    nodeOfEditor(),
    [
      must('CTX_TEST_CODE_SERVER'),
      ...packed.flatMap((vsix) => ['--install-extension', vsix]),
      ...['--user-data-dir', path.join(made, 'data'), '--extensions-dir', path.join(made, 'extensions')],
    ],
    { env, encoding: 'utf8' },
  );
  if (status !== 0) {
    fs.rmSync(made, { recursive: true });
    throw new Error(`installing ${packed.join(' ')} failed: ${stdout}${stderr}`);
  }
  fs.writeFileSync(path.join(made, 'finished'), '');
}

/** The Node.js that the editor asks for. */
export const nodeOfEditor = (): string => process.env.CTX_TEST_NODE ?? process.execPath;

/** Copies a folder by links to its files, or file by file where the two lie on different disks. */
function copy(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [a, b] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      copy(a, b);
      continue;
    }
    try {
      fs.linkSync(a, b);
    } catch {
      fs.copyFileSync(a, b);
    }
  }
}
