// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { agentName } from './agents';
import type { Reason } from './focus';
import { escape, row } from './markdown';
import type { Child, Range, Reading } from '../api/protocol';
import type { Trouble } from './trouble';
import { basisWords, exact, levelWords, limitSourceWords, mark, reasonWords } from './words';

/** The commands that links in the tooltip may run, and no others. */
export const tooltipCommands = [
  'ctx.showPanel',
  'ctx.pickSession',
  'ctx.followFocus',
  'ctx.copySummary',
  'ctx.openTranscript',
  'ctx.restartServer',
  'ctx.showLogs',
  'ctx.openSettings',
] as const;

/** What the tooltip of a session says. */
export function readingMarkdown(reading: Reading, reason: Reason, sessions: number): string {
  const sections = [
    heading(reading, reason, sessions),
    fullness(reading),
    breakdown(reading),
    forecast(reading),
    provenance(reading),
    children(reading.children),
    warnings(reading),
  ];
  return sections.filter(Boolean).join('\n\n---\n\n');
}

/** What the tooltip says when something is wrong. */
export function troubleMarkdown(trouble: Trouble): string {
  return `$(warning) ${escape(trouble.sentence)}\n\n${link('ctx.restartServer', vscode.l10n.t('Restart the daemon'))} · ${link('ctx.showLogs', vscode.l10n.t('Show the log'))}`;
}

/** The line of links at the end. */
export function linksMarkdown(reading: Reading, pinned: boolean): string {
  const links = [
    link('ctx.showPanel', vscode.l10n.t('Panel')),
    link('ctx.pickSession', vscode.l10n.t('Sessions')),
    link('ctx.copySummary', vscode.l10n.t('Copy summary')),
  ];
  if (reading.file) {
    links.push(link('ctx.openTranscript', vscode.l10n.t('Transcript')));
  }
  if (pinned) {
    links.push(link('ctx.followFocus', vscode.l10n.t('Follow the focus')));
  }
  links.push(link('ctx.openSettings', vscode.l10n.t('Settings')));
  return links.join(' · ');
}

function link(command: (typeof tooltipCommands)[number], title: string): string {
  return `[${escape(title)}](command:${command})`;
}

function heading(reading: Reading, reason: Reason, sessions: number): string {
  const who = [agentName(reading.agent), reading.model].filter(Boolean).map(escape).join(' · ');
  const label = reading.label ? `\n\n${escape(reading.label)}` : '';
  const why =
    sessions > 1 ? `\n\n*${escape(vscode.l10n.t('One of {0} sessions: {1}', sessions, reasonWords(reason)))}*` : '';
  return `**${who || vscode.l10n.t('Context window')}**${label}${why}`;
}

function fullness(reading: Reading): string {
  const { compaction: c, display: d, lastRequest } = reading;
  const used = `${d.mark}${exact(reading.used)}`;
  const lines = ['| | | |', '|:--|--:|--:|'];
  lines.push(
    row(
      vscode.l10n.t('Window'),
      reading.limit === null ? `**${used}** / ?` : `**${used}** / ${exact(reading.limit)}`,
      escape(d.percent),
    ),
  );
  if (c.line !== null) {
    lines.push(
      row(vscode.l10n.t('To compaction'), `**${d.mark}${escape(d.left)}** / ${exact(c.line)}`, escape(d.linePercent)),
    );
  }
  if (reading.free !== null) {
    lines.push(row(vscode.l10n.t('Free'), `${d.mark}${exact(reading.free)}`, escape(d.percentLeft)));
  }
  if (lastRequest) {
    lines.push(row(vscode.l10n.t('Last request'), exact(lastRequest.in), ''));
  }
  if (reading.agentPercent) {
    lines.push(row(escape(reading.agentPercent.label), '', `${exact(reading.agentPercent.value)}%`));
  }
  return lines.join('\n');
}

function breakdown(reading: Reading): string {
  if (reading.breakdown.length === 0) {
    return '';
  }
  const lines = [row(vscode.l10n.t('What fills it'), vscode.l10n.t('Tokens')), '|:--|--:|'];
  for (const part of reading.breakdown) {
    const note = part.deferred ? ` *(${vscode.l10n.t('deferred')})*` : '';
    lines.push(row(`${escape(part.label)}${note}`, `${mark(part.basis)}${exact(part.tokens)}`));
  }
  return lines.join('\n');
}

function forecast(reading: Reading): string {
  const { compaction: c, accuracy: a } = reading;
  const lines: string[] = [];
  if (c.line !== null) {
    const level = levelWords(c.level);
    const ahead = [
      c.callsLeft && vscode.l10n.t('{0} calls', span(c.callsLeft)),
      c.turnsLeft && vscode.l10n.t('{0} turns', span(c.turnsLeft)),
    ].filter(Boolean);
    lines.push(
      `$(clock) ${escape(ahead.length > 0 ? vscode.l10n.t('Compaction in {0}: {1}', ahead.join(', '), level) : level)}`,
    );
    if (c.landing) {
      lines.push(escape(vscode.l10n.t('Afterwards {0} to {1} tokens', exact(c.landing.low), exact(c.landing.high))));
    }
  }
  for (const advice of reading.advice.slice(0, 3)) {
    const how = advice.how ? ` (${escape(advice.how)})` : '';
    lines.push(
      `$(lightbulb) ${escape(advice.label)}${how}: ${escape(vscode.l10n.t('{0} tokens', exact(advice.tokens)))}`,
    );
  }
  if (a.medianTokens !== null && a.p95Tokens !== null) {
    lines.push(
      `$(target) ${escape(vscode.l10n.t('Predictions missed by {0} tokens in the median and {1} at the 95th percentile, over {2} steps', exact(a.medianTokens), exact(a.p95Tokens), a.steps))}`,
    );
  }
  return lines.join('  \n');
}

/** A range as it is printed: the likely value, and the bounds where they differ. */
function span(r: Range): string {
  return r.low === r.high ? String(r.likely) : `${r.likely} (${r.low}–${r.high})`;
}

function provenance(reading: Reading): string {
  const { compaction: c } = reading;
  const lines = [`${vscode.l10n.t('Basis')}: ${escape(basisWords(reading.basis))}`];
  if (reading.low !== reading.high) {
    lines.push(escape(vscode.l10n.t('Between {0} and {1} tokens', exact(reading.low), exact(reading.high))));
  }
  lines.push(`${vscode.l10n.t('Window')}: ${escape(limitSourceWords(reading.limitSource))}`);
  const since = c.since ? `, ${vscode.l10n.t('since {0}', c.since)}` : '';
  const source = c.source ? ` (${c.source})` : '';
  lines.push(`${vscode.l10n.t('Rule')}: ${escape(`${c.rule}${since}${source}`)}`);
  if (reading.pending) {
    lines.push(`$(sync) ${escape(vscode.l10n.t('A request is running'))}`);
  }
  return lines.join('  \n');
}

function children(list: Child[]): string {
  if (list.length === 0) {
    return '';
  }
  const lines = [row(vscode.l10n.t('Sub-agents'), ''), '|:--|--:|'];
  for (const child of list.slice(0, 8)) {
    lines.push(
      row(
        escape(child.label || agentName(child.agent) || child.session),
        `${child.display.mark}${escape(child.percent === null ? child.display.used : child.display.percent)}`,
      ),
    );
  }
  return lines.join('\n');
}

function warnings(reading: Reading): string {
  return reading.warnings
    .slice(0, 5)
    .map((w) => `$(info) ${escape(w)}`)
    .join('  \n');
}
