// Copyright The ctx-lsp authors. MIT licence.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { must } from './workbench';

/** What the editor remembers of the extensions that it brings along, in its data. */
const builtIn = 'CachedProfilesData';

/**
 * Lays packed extensions into the folder of an editor. The editor's own command installs each choice of them once in a
 * run; whoever asks for the same again gets a copy, whose files are links, in a fraction of the time. The data of the
 * editor get what that command found out about the extensions of the editor itself.
 */
export function installInto(extensions: string, data: string, packed: string[], env: NodeJS.ProcessEnv): void {
  const entry = must('CTX_TEST_CODE_SERVER');
  const key = createHash('sha256')
    .update([entry, ...packed].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const made = path.join(must('CTX_TEST_MADE'), key);
  if (!fs.existsSync(path.join(made, 'extensions.json'))) {
    const unfinished = `${made}.${process.pid}`;
    fs.mkdirSync(unfinished, { recursive: true });
    for (const vsix of packed) {
      const { status, stderr, stdout } = spawnSync(
        nodeOfEditor(),
        [
          entry,
          ...['--install-extension', vsix],
          ...['--user-data-dir', `${made}.data`, '--extensions-dir', unfinished],
        ],
        { env, encoding: 'utf8' },
      );
      if (status !== 0) {
        throw new Error(`installing ${vsix} failed: ${stdout}${stderr}`);
      }
    }
    const list = path.join(unfinished, 'extensions.json');
    fs.writeFileSync(list, fs.readFileSync(list, 'utf8').replaceAll(unfinished, made));
    fs.rmSync(made, { recursive: true, force: true });
    fs.renameSync(unfinished, made);
  }
  copy(made, extensions);
  if (fs.existsSync(path.join(`${made}.data`, builtIn))) {
    fs.cpSync(path.join(`${made}.data`, builtIn), path.join(data, builtIn), { recursive: true });
  }
  const list = path.join(extensions, 'extensions.json');
  const text = fs.readFileSync(list, 'utf8').replaceAll(made, extensions);
  fs.rmSync(list);
  fs.writeFileSync(list, text);
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
