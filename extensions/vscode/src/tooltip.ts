// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { type Absence, absenceIcon, ways, wayTitle } from './absence';
import { agentName } from './agents';
import type { Reason } from './focus';
import { escaped } from './markdown';
import { isDim, nameOf, shortenedThing, standing } from './names';
import { largestFirst } from './rows';
import { backSentence } from './warmth';
import {
  allowanceSentence,
  basisWords,
  compactionSentence,
  exact,
  mark,
  missSentence,
  reasonWords,
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

/** How many of the parts of the window have a line, and how many names it has; the view has them all. */
const rowsShown = 3;
const namesShown = 2;

/** The actions for the session of a tooltip. */
export interface TooltipView {
  readonly reason: Reason;
  /** How many sessions there are to choose from. */
  readonly sessions: number;
  readonly canCompact: boolean;
  readonly now: number;
}

/**
 * The tooltip of a session in nine lines: who, how full, when it compacts, what fills it, where that comes from, and
 * what can be done. One more says what coming back costs, and another what is odd, if there is such a thing.
 */
export function readingMarkdown(reading: Reading, view: TooltipView): string {
  return [heading(reading, view), parts(reading), foot(reading, view)].filter(Boolean).join('\n\n---\n\n');
}

/** What the tooltip says when there is no session to show, or when something is wrong. */
export function absenceMarkdown(absence: Omit<Absence, 'welcome'>): string {
  const links = absence.ways.map((way) => link(ways[way], wayTitle(way)));
  return `${absenceIcon(absence)} ${escaped(absence.sentence)}\n\n${links.join(' · ')}`;
}

function link(command: (typeof tooltipCommands)[number], title: string): string {
  return `[${escaped(title)}](command:${command})`;
}

function heading(reading: Reading, { now }: TooltipView): string {
  const { display: d } = reading;
  const who = [agentName(reading.agent), reading.model, ...standing(reading, now)]
    .filter(Boolean)
    .map(escaped)
    .join(' · ');
  const lines = [`**${escaped(nameOf(reading))}**${who && ` — ${who}`}`];
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
  const back = backSentence(reading, now);
  if (back) {
    lines.push(`$(history) ${escaped(back)}`);
  }
  if (reading.wholeWindow) {
    lines.push(escaped(reading.wholeWindow));
  }
  return lines.join('  \n');
}

/**
 * The icon for a level, for people who do not see its colour. A session that nobody carries on has no alarming icon.
 */
export function levelIcon(reading: Reading): string {
  const { level } = reading.compaction;
  return level === 'ok' || isDim(reading) ? '$(clock)' : level === 'soon' ? '$(warning)' : '$(error)';
}

/** The largest parts of the window, largest first, each with the largest things of its kind by name. */
function parts(reading: Reading): string {
  const all = largestFirst(reading.breakdown.filter((p) => !p.deferred));
  if (all.length === 0) {
    return '';
  }
  const lines = all.slice(0, rowsShown).map((part) => {
    const names = reading.largest.filter((l) => l.kind === part.kind && Boolean(l.what)).slice(0, namesShown);
    const mostly = names.map((l) => escaped(shortenedThing(l.label, 32))).join(', ');
    const fact = `${escaped(part.label)} **${escaped(`${mark(part.basis)}${exact(part.tokens)}`)}**`;
    return mostly === '' ? fact : `${fact} · ${vscode.l10n.t('mostly {0}', mostly)}`;
  });
  const rest = all.length - rowsShown;
  const more = rest === 1 ? vscode.l10n.t('and 1 more part') : vscode.l10n.t('and {0} more parts', rest);
  const server = escaped(reading.mcpServers[0]?.text ?? ''); // the first takes most
  const last = [rest > 0 ? more : '', server].filter(Boolean).join(' · ');
  if (last) {
    lines.push(last);
  }
  if (reading.agentCounts) {
    lines.push(`*${escaped(reading.agentCounts)}*`);
  }
  return lines.join('  \n');
}

/** Where the number comes from, or what is odd, and which session of several it is; then what can be done. */
function foot(reading: Reading, { canCompact, reason, sessions, now }: TooltipView): string {
  const [warning, ...others] = reading.warnings;
  const between =
    reading.low === reading.high
      ? ''
      : `, ${vscode.l10n.t('between {0} and {1}', exact(reading.low), exact(reading.high))}`;
  const basis = reading.unmeasured ? '' : `${basisWords(reading.basis)}${between}`;
  const facts = [basis, missSentence(reading), allowanceSentence(reading, now)].filter(Boolean).map(escaped);
  if (sessions > 1) {
    facts.push(`*${escaped(vscode.l10n.t('one of {0} sessions: {1}', sessions, reasonWords(reason)))}*`);
  }
  const lines = facts.length === 0 ? [] : [`$(info) ${facts.join(' · ')}`];
  if (warning !== undefined) {
    lines.push(`$(alert) ${escaped(warning)}${others.length > 0 ? ` (+${others.length})` : ''}`);
  }
  const links = [link('ctx.showPanel', vscode.l10n.t('Details')), link('ctx.pickSession', vscode.l10n.t('Sessions'))];
  if (canCompact) {
    links.push(link('ctx.runCompaction', vscode.l10n.t('Compact')));
  }
  links.push(link('ctx.copyHandover', vscode.l10n.t('Handover facts')));
  if (reason === 'pinned') {
    links.push(link('ctx.followFocus', vscode.l10n.t('Follow the focus')));
  }
  lines.push(links.join(' · '));
  return lines.join('  \n');
}
