// Copyright The ctx-lsp authors. MIT licence.

import { execFile } from 'node:child_process';

/** Lists the files of a folder that Git tracks or would add; undefined outside of a repository, or without Git. */
export function gitFiles(folder: string): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      { cwd: folder, timeout: 10_000, maxBuffer: 16 << 20, windowsHide: true },
      (error, stdout) => resolve(error ? undefined : stdout.split('\0').filter((name) => name !== '')),
    );
  });
}
