// Copyright The ctx-lsp authors. MIT licence.

// Runs ctx-lsp in the home and the folder of a lab run.
import { execFile } from 'node:child_process';

/** Returns a function that runs ctx-lsp with arguments, and resolves to its output, its errors and its exit code. */
export const asker = (program, cwd, env) => (args, input) =>
  new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env, maxBuffer: 1 << 27, timeout: 60_000 }, (error, output, errors) =>
      resolve({ output, errors, code: error ? (error.code ?? 1) : 0 }),
    );
    child.stdin.end(input);
  });

/** What `ctx-lsp status` says, in a few fields. */
export async function status(ask) {
  const { output, errors, code } = await ask(['status', '--json']);
  if (code !== 0 && !output) return { error: errors.trim() };
  const r = JSON.parse(output);
  return {
    session: r.session,
    agent: r.agent,
    version: r.agentVersion,
    model: r.model,
    basis: r.basis,
    used: r.used,
    low: r.low,
    high: r.high,
    limit: r.limit,
    line: r.compaction?.line,
    level: r.compaction?.level,
    measured: Boolean(r.lastRequest),
    compactions: r.compactions,
    rows: r.breakdown.map(({ kind, label, tokens, basis }) => ({ kind, label, tokens, basis })),
    warnings: r.warnings,
  };
}
