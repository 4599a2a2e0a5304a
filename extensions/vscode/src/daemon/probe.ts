// Copyright The ctx-lsp authors. MIT licence.

import { execFile } from 'node:child_process';
import type { Trouble } from '../trouble';
import type { Candidate } from './locate';

/** The schemas that this extension can read. A daemon with another one is refused before it starts. */
export const wantedReading = 'ctx.reading/1';
const wantedVersion = 'ctx.version/1';

export type Probe = { readonly ok: true; readonly version: string } | { readonly ok: false; readonly trouble: Trouble };

/** Asks a program for `version --json` and judges the answer. It runs no shell. */
export function probe(candidate: Candidate, env: NodeJS.ProcessEnv, timeoutMs = 5000): Promise<Probe> {
  return new Promise((resolve) => {
    execFile(
      candidate.file,
      ['version', '--json'],
      { env, timeout: timeoutMs, maxBuffer: 64 * 1024, windowsHide: true },
      (error, stdout, stderr) => {
        if (error) {
          resolve({ ok: false, trouble: failed(candidate, error, stderr, timeoutMs) });
        } else {
          resolve(judge(candidate, stdout));
        }
      },
    );
  });
}

function failed(
  candidate: Candidate,
  error: Error & { code?: unknown; killed?: boolean },
  stderr: string,
  timeoutMs: number,
): Trouble {
  const where = `${candidate.file} (from the ${candidate.from})`;
  if (error.killed) {
    return { kind: 'silent', sentence: `${where} did not respond to “version --json” within ${timeoutMs} ms.` };
  }
  if (error.code === 'ENOENT') {
    return {
      kind: 'noDaemon',
      sentence: `${where} does not exist. Correct the path, or clear it to use the daemon of the extension.`,
    };
  }
  if (error.code === 'EACCES') {
    return { kind: 'noDaemon', sentence: `${where} cannot be run: the file is not executable.` };
  }
  return {
    kind: 'wrongVersion',
    sentence: `${where} failed at “version --json”: ${firstLine(stderr) || error.message}`,
  };
}

/** Judges what a program printed for `version --json`. */
export function judge(candidate: Candidate, stdout: string): Probe {
  const where = `${candidate.file} (from the ${candidate.from})`;
  let answer: { schema?: unknown; version?: unknown; reading?: unknown };
  try {
    answer = JSON.parse(stdout) as typeof answer;
  } catch {
    return {
      ok: false,
      trouble: {
        kind: 'wrongVersion',
        sentence: `${where} did not return JSON for “version --json”; check that it is ctx-lsp.`,
      },
    };
  }
  if (answer.schema !== wantedVersion || answer.reading !== wantedReading) {
    const told = `${String(answer.schema)}, ${String(answer.reading)}`;
    return {
      ok: false,
      trouble: {
        kind: 'wrongVersion',
        sentence: `${where} uses ${told}, but this extension requires ${wantedVersion}, ${wantedReading}. Update the older of the two.`,
      },
    };
  }
  return { ok: true, version: typeof answer.version === 'string' ? answer.version : 'unknown' };
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}
