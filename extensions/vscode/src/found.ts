// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Found, FoundAgent } from './backend';
import { age } from './names';
import { inWords } from './phrases';
import { exact, limitSourceWords } from './words';

/** A line about agents that were looked for. */
export interface FoundLine {
  readonly text: string;
  readonly detail?: string;
  readonly icon: string;
}

/** Returns the results of the search, for an empty list of sessions: every agent that was found, then the others. */
export function foundLines(found: Found | undefined, now: number): FoundLine[] {
  if (!found) {
    return [];
  }
  const lines: FoundLine[] = found.agents
    .filter((a) => a.exists)
    .map((a) => ({ text: a.name, detail: stateOf(a, now), icon: a.sessions > 0 ? 'check' : 'circle-outline' }));
  const none = absent(found);
  if (none.length > 0) {
    lines.push({ text: vscode.l10n.t('Not found'), detail: none.join(', '), icon: 'circle-slash' });
  }
  return lines;
}

/** Returns the full results as a document that the user can read or send. */
export function foundText(found: Found, now: number): string {
  const lines = [
    `# ${vscode.l10n.t('Agents found')}`,
    '',
    `ctx-lsp ${found.version}`,
    '',
    `## ${vscode.l10n.t('Agents')}`,
    '',
  ];
  for (const a of found.agents.filter((each) => each.exists || each.from)) {
    const from = a.from ? ` (${a.from})` : '';
    lines.push(`- ${a.name}: ${stateOf(a, now)}`, `  ${a.path}${from}`);
  }
  const none = absent(found);
  if (none.length > 0) {
    lines.push(`- ${vscode.l10n.t('Not found')}: ${none.join(', ')}`);
  }
  const { session: s } = found;
  if (s) {
    const { reading: r } = s;
    const c = r?.compaction;
    lines.push('', `## ${vscode.l10n.t('Session {0}', s.session)}`, '');
    const row = (name: string, value: string | undefined): void => {
      if (value) {
        lines.push(`- ${name}: ${value}`);
      }
    };
    row(vscode.l10n.t('Agent'), `${s.agent} ${s.version}`.trim());
    row(vscode.l10n.t('Transcript'), s.path);
    row(vscode.l10n.t('Folder'), s.workspace);
    row(vscode.l10n.t('Model'), s.model);
    row(
      vscode.l10n.t('Window'),
      r?.limit == null ? vscode.l10n.t('unknown') : `${exact(r.limit)} (${limitSourceWords(r.limitSource)})`,
    );
    row(vscode.l10n.t('Compaction'), c?.threshold == null ? '' : exact(c.threshold));
    row(vscode.l10n.t('Rule'), [c?.rule, c?.since, c?.source].filter(Boolean).join(' · '));
    for (const [name, value] of Object.entries(s.settings ?? {}).sort()) {
      row(vscode.l10n.t('Your setting'), `${name} = ${value}`);
    }
    row(vscode.l10n.t('Records'), vscode.l10n.t('{0} read, {1} not readable', exact(s.records), exact(s.skipped)));
    row(vscode.l10n.t('Fixed context of sessions here'), s.setup);
  }
  lines.push(
    '',
    `## ${vscode.l10n.t('State')}`,
    '',
    `- ${vscode.l10n.t('Learned corrections')}: ${found.learned.path}`,
    `- ${vscode.l10n.t('Cache')}: ${found.cache}`,
    '',
  );
  if (found.odd.length === 0) {
    lines.push(vscode.l10n.t('No problems found.'));
  } else {
    lines.push(
      `## ${vscode.l10n.t('Problems')}`,
      '',
      ...found.odd.map((sentence, i) => `- ${inWords(found.oddPhrases[i], sentence)}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

function stateOf({ exists, readable, sessions, newest }: FoundAgent, now: number): string {
  if (!exists) {
    return vscode.l10n.t('not found');
  }
  if (!readable) {
    return vscode.l10n.t('found, but its sessions are not supported yet');
  }
  const count = sessions === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', exact(sessions));
  const at = newest === undefined ? Number.NaN : Date.parse(newest);
  return Number.isNaN(at) ? count : `${count}, ${vscode.l10n.t('the newest {0}', age({ asOf: at }, now))}`;
}

/** Returns the names of the agents that were not found, without duplicates. */
function absent({ agents }: Found): string[] {
  const bare = (name: string): string => name.replace(/ \(.*$/, '');
  const installed = new Set(agents.filter((a) => a.exists || a.from).map((a) => a.agent));
  return [...new Set(agents.filter((a) => !installed.has(a.agent)).map((a) => bare(a.name)))];
}
