// Copyright The ctx-lsp authors. MIT licence.

// Runs ctx-lsp in the home and the folder of a lab run, and collects what each front end shows.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { files } from './sightworld.mjs';

/** Returns a function that runs ctx-lsp with arguments, and resolves to its output, its errors and its exit code. */
export const asker = (program, cwd, env) => (args, input) =>
  new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env, maxBuffer: 1 << 27, timeout: 60_000 }, (error, output, errors) =>
      resolve({ output, errors, code: error ? (error.code ?? 1) : 0 }),
    );
    child.stdin.end(input);
  });

/** The fields of a Reading that the judge compares. */
const short = (r) => ({
  session: r.session,
  used: r.used,
  low: r.range.low,
  high: r.range.high,
  basis: r.basis,
  mark: r.display?.mark ?? '',
  cause: r.range.cause?.text ?? '',
  threshold: r.compaction?.threshold,
  level: r.compaction?.level,
  measured: Boolean(r.lastRequest),
  compactions: r.compaction?.count,
});

/** What `ctx-lsp status` says, in a few fields. */
export async function status(ask) {
  const { output, errors, code } = await ask(['status', '--json']);
  if (code !== 0 && !output) return { error: errors.trim() };
  const r = JSON.parse(output);
  return {
    ...short(r),
    agent: r.agent,
    version: r.agentVersion,
    model: r.model,
    limit: r.limit,
    rows: r.breakdown.map(({ kind, label, tokens, basis }) => ({ kind, label: label.text, tokens, basis })),
    advice: (r.advice ?? []).map(({ action, tokens }) => ({ action, tokens })),
    warnings: r.warnings.map(({ text }) => text),
  };
}

/** The template of the status lines in the lab: their fields, in an order that fieldsOf reads. */
export const template = '{mark}|{used}|{level}|{session}';

/** Returns the fields of a status line, undefined if it printed nothing. */
export function fieldsOf(line) {
  const [mark, used, level, named] = line.trim().split('|');
  const [session, age] = (named ?? '').split(' (');
  if (named === undefined) return line.trim() ? { text: line.trim() } : undefined;
  const [, digits, unit] = /^([\d.,]+)([kM]?)$/.exec(used.replaceAll(',', '')) ?? [];
  const tokens = digits && Number(digits) * { '': 1, k: 1000, M: 1_000_000 }[unit];
  return { mark: mark || (age ? 'old' : ''), used: tokens, half: unit === 'k' ? 50 : unit ? 5000 : 0, level, session };
}

/** The last line that an agent's status line showed: shim.sh notes each. */
export function lastLine(file) {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '';
  return fieldsOf(text.slice(text.indexOf('\t') + 1));
}

/** What `ctx-lsp sees` says of each file of the sight phase, with the file's content. */
export async function seen(ask, folder) {
  const answers = {};
  for (const name of Object.keys(files)) {
    const content = readFileSync(path.join(folder, name), 'utf8');
    const { output, errors } = await ask(['sees', name, '--json']);
    answers[name] = output ? { content, ranges: JSON.parse(output).ranges } : { content, error: errors.trim() };
  }
  return answers;
}

/** Everything that a user can see now: `status`, and in `views` the other front ends. */
export async function observe(ask, { watching, lines }) {
  const said = await status(ask);
  if (said.error) return said;
  const { output } = await ask(['statusline', '--for=shell', '--here', `--template=${template}`]);
  const history = await ask(['history', '--json', said.session]);
  const daemon = watching?.daemon(said.session);
  const top = watching?.top(said.session);
  const chart = history.output ? JSON.parse(history.output) : undefined;
  said.views = {
    shell: fieldsOf(output) ?? null,
    statusline: lastLine(lines),
    history: chart && { used: chart.points.at(-1)?.used, compactions: chart.compactions.length },
    daemon: daemon && short(daemon),
    top: top && Number(/(\d+)%/.exec(top)?.[1]),
  };
  return said;
}
