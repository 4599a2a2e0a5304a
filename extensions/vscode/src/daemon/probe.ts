// Copyright The ctx-lsp authors. MIT licence.

import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import type { Trouble } from '../trouble';
import type { Candidate } from './locate';

/** The schemas that this extension can read. A daemon with another schema is refused before it starts. */
export const wantedReading = 'ctx.reading/3';
const wantedVersion = 'ctx.version/1';

export type Probe = { readonly ok: true; readonly version: string } | { readonly ok: false; readonly trouble: Trouble };

/** Runs a program with `version --json`, without a shell, and checks its output. */
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
  const { file } = candidate;
  const from = sourceWords(candidate.from);
  if (error.killed) {
    return {
      kind: 'silent',
      sentence: vscode.l10n.t(
        '{0} (from the {1}) did not respond to “version --json” within {2} ms.',
        file,
        from,
        timeoutMs,
      ),
    };
  }
  if (error.code === 'ENOENT') {
    return {
      kind: 'noDaemon',
      sentence: vscode.l10n.t(
        '{0} (from the {1}) does not exist. Correct the path, or clear it to use the daemon of the extension.',
        file,
        from,
      ),
    };
  }
  if (error.code === 'EACCES') {
    return {
      kind: 'noDaemon',
      sentence: vscode.l10n.t('{0} (from the {1}) cannot be run: the file is not executable.', file, from),
    };
  }
  return {
    kind: 'wrongVersion',
    sentence: vscode.l10n.t(
      '{0} (from the {1}) failed at “version --json”: {2}',
      file,
      from,
      firstLine(stderr) || error.message,
    ),
  };
}

/** Checks what a program printed for `version --json`. */
export function judge(candidate: Candidate, stdout: string): Probe {
  const { file } = candidate;
  const from = sourceWords(candidate.from);
  let answer: { schema?: unknown; version?: unknown; reading?: unknown };
  try {
    answer = JSON.parse(stdout) as typeof answer;
  } catch {
    return {
      ok: false,
      trouble: {
        kind: 'wrongVersion',
        sentence: vscode.l10n.t(
          '{0} (from the {1}) did not return JSON for “version --json”; check that it is ctx-lsp.',
          file,
          from,
        ),
      },
    };
  }
  if (answer.schema !== wantedVersion || answer.reading !== wantedReading) {
    const versions = `${String(answer.schema)}, ${String(answer.reading)}`;
    return {
      ok: false,
      trouble: {
        kind: 'wrongVersion',
        sentence: vscode.l10n.t(
          '{0} (from the {1}) uses {2}, but this extension requires {3}. Update the older of the two.',
          file,
          from,
          versions,
          `${wantedVersion}, ${wantedReading}`,
        ),
      },
    };
  }
  return { ok: true, version: typeof answer.version === 'string' ? answer.version : 'unknown' };
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}

/** Returns the source of a program's path in the user's language. */
function sourceWords(from: Candidate['from']): string {
  switch (from) {
    case 'debug variable':
      return vscode.l10n.t('debug variable');
    case 'setting':
      return vscode.l10n.t('setting');
    case 'extension':
      return vscode.l10n.t('extension');
    default:
      return from;
  }
}
