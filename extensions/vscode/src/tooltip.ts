// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { type Absence, absenceIcon, ways, wayTitle } from './absence';
import { agentName } from './agents';
import type { Reason } from './focus';
import { escaped, row } from './markdown';
import { isDim, nameOf, standing } from './names';
import {
  basisWords,
  compactionSentence,
  exact,
  mark,
  missSentence,
  reasonWords,
  requestSentence,
  roomSentence,
  unmeasured,
} from './words';

/** The commands that links in the tooltip may run, and no others. */
export const tooltipCommands = [
  'ctx.showPanel',
  'ctx.pickSession',
  'ctx.followFocus',
  'ctx.copyHandover',
  'ctx.runCompaction',
  ...Object.values(ways),
] as const;

/** How many of the parts of the window have a row; the panel has them all. */
const rowsShown = 3;

/** The actions for the session of a tooltip. */
export interface TooltipView {
  readonly reason: Reason;
  /** How many sessions there are to choose from. */
  readonly sessions: number;
  readonly canCompact: boolean;
  readonly now: number;
}

/**
 * The tooltip of a session, in about nine lines: who, how full, when it compacts, what fills it, and what can be done.
 */
export function readingMarkdown(reading: Reading, view: TooltipView): string {
  return [heading(reading, view), parts(reading), foot(reading, view)].filter(Boolean).join('\n\n---\n\n');
}

/** What the tooltip says when there is no session to show, or when something is wrong. */
export function absenceMarkdown(absence: Absence): string {
  const links = absence.ways.map((way) => link(ways[way], wayTitle(way)));
  return `${absenceIcon(absence)} ${escaped(absence.sentence)}\n\n${links.join(' · ')}`;
}

function link(command: (typeof tooltipCommands)[number], title: string): string {
  return `[${escaped(title)}](command:${command})`;
}

function heading(reading: Reading, { sessions, reason, now }: TooltipView): string {
  const { display: d } = reading;
  const who = [agentName(reading.agent), reading.model].filter(Boolean).map(escaped).join(' · ');
  const lines = [`**${escaped(nameOf(reading))}**${who && ` — ${who}`}`];
  const where = standing(reading, now).map(escaped);
  if (sessions > 1) {
    where.push(`*${escaped(vscode.l10n.t('one of {0} sessions: {1}', sessions, reasonWords(reason)))}*`);
  }
  lines.push(where.join(' · '));
  const known = reading.limit === null ? d.used : vscode.l10n.t('{0} of {1}', d.used, d.limit);
  const amount = [known, unmeasured(reading)].filter(Boolean).join(' · ');
  lines.push(
    reading.percent === null
      ? [`**${escaped(`${d.mark}${d.used}`)}**`, escaped(unmeasured(reading))].filter(Boolean).join(' · ')
      : `${d.bar} **${escaped(`${d.mark}${d.percent}`)}** · ${escaped(amount)}`,
  );
  const when = compactionSentence(reading);
  if (when) {
    lines.push(`${levelIcon(reading)} ${escaped(when)}`);
  }
  return lines.filter(Boolean).join('  \n');
}

/**
 * The icon for a level, for people who do not see its colour. A session that nobody carries on has no alarming icon.
 */
export function levelIcon(reading: Reading): string {
  const { level } = reading.compaction;
  return level === 'ok' || isDim(reading) ? '$(clock)' : level === 'soon' ? '$(warning)' : '$(error)';
}

/** The largest parts of the window, largest first. */
function parts(reading: Reading): string {
  const all = reading.breakdown.filter((p) => !p.deferred).sort((a, b) => b.tokens - a.tokens);
  if (all.length === 0) {
    return '';
  }
  const lines = ['| | |', '|:--|--:|'];
  for (const part of all.slice(0, rowsShown)) {
    lines.push(row(escaped(part.label), `&nbsp;&nbsp;${mark(part.basis)}${exact(part.tokens)}`));
  }
  const rest = all.length - rowsShown;
  if (rest > 0) {
    lines.push(row(rest === 1 ? vscode.l10n.t('and 1 more part') : vscode.l10n.t('and {0} more parts', rest), ''));
  }
  return lines.join('\n');
}

function foot(reading: Reading, { canCompact, reason }: TooltipView): string {
  const between =
    reading.low === reading.high
      ? ''
      : `, ${vscode.l10n.t('between {0} and {1}', exact(reading.low), exact(reading.high))}`;
  const basis = reading.unmeasured ? '' : `$(info) ${escaped(`${basisWords(reading.basis)}${between}`)}`;
  const server = reading.mcpServers[0]?.text ?? ''; // the first takes most
  const facts = [requestSentence(reading), missSentence(reading), roomSentence(reading), server]
    .filter(Boolean)
    .map(escaped);
  const lines = [basis, ...facts].filter(Boolean);
  const [warning, ...others] = reading.warnings;
  if (warning !== undefined) {
    lines.push(`$(alert) ${escaped(warning)}${others.length > 0 ? ` (+${others.length})` : ''}`);
  }
  const links = [link('ctx.showPanel', vscode.l10n.t('Details')), link('ctx.pickSession', vscode.l10n.t('Sessions'))];
  if (canCompact) {
    links.push(link('ctx.runCompaction', vscode.l10n.t('Compact')));
  }
  links.push(link('ctx.copyHandover', vscode.l10n.t('Hand-over facts')));
  if (reason === 'pinned') {
    links.push(link('ctx.followFocus', vscode.l10n.t('Follow the focus')));
  }
  lines.push(links.join(' · '));
  return lines.join('  \n');
}
