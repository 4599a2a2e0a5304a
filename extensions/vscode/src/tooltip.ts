// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { type Absence, absenceIcon, ways, wayTitle } from './absence';
import type { Reason } from './focus';
import { escaped } from './markdown';
import { isDim, nameOf, shortened } from './names';
import { isLong, rowsOf, valuesOf } from './panel/rows';
import { reasonWords, shareWords } from './words';

/** The only commands that links in the tooltip may run. */
export const tooltipCommands = [
  'ctx.showPanel',
  'ctx.pickSession',
  'ctx.openWalkthrough',
  'ctx.hideWaiting',
  ...Object.values(ways),
] as const;

/** How many parts of the window have a row; the view and the panel show all of them. */
const rowsShown = 3;
/** The maximum length of a name, so that the heading fits on one line of the usual width. */
const nameLength = 32;
/** How many characters fit on one line and on two; a sentence of two lines replaces a row. */
const oneLine = 72;
const twoLines = 144;

/** The data of a tooltip other than the Reading. */
export interface TooltipView {
  /** Why the session is shown; undefined for the second item. */
  readonly reason?: Reason;
  /** The number of sessions to choose from. */
  readonly sessions?: number;
  /** A message that the numbers are outdated; empty while they are kept up to date. */
  readonly outdated?: string;
  readonly trouble?: Pick<Absence, 'sentence' | 'ways'> | undefined;
  readonly now: number;
}

/**
 * Returns the tooltip of a session, at most eight lines: name, usage, the three largest parts as a table, when it
 * compacts, one line about something unusual, and links to everything else.
 */
export function readingMarkdown(reading: Reading, view: TooltipView): string {
  const unusual = extra(reading, view);
  const rows = unusual.length > oneLine ? rowsShown - 1 : rowsShown;
  return [heading(reading, view), table(reading, rows, view.now), foot(reading, view, unusual)]
    .filter(Boolean)
    .join('\n\n');
}

/** Returns the tooltip if there is no session to show, or if there is trouble. */
export function absenceMarkdown(absence: Omit<Absence, 'welcome'>): string {
  return `${absenceIcon(absence)} ${escaped(absence.sentence)}\n\n${wayLinks(absence.ways)}`;
}

/** Returns the tooltip without a session; before the first one, it links to the walkthrough. */
export function waitingMarkdown(sentence: string, firstDay: boolean): string {
  const links = firstDay ? [link('ctx.openWalkthrough', vscode.l10n.t('Get started'))] : [];
  links.push(link('ctx.hideWaiting', vscode.l10n.t('Hide this')));
  return `${escaped(sentence)}\n\n${links.join(' · ')}`;
}

function link(command: (typeof tooltipCommands)[number], title: string): string {
  return `[${escaped(title)}](command:${command})`;
}

function wayLinks(all: Absence['ways']): string {
  return all.map((way) => link(ways[way], wayTitle(way))).join(' · ');
}

function heading(reading: Reading, { now }: TooltipView): string {
  const who = rowsOf(reading, 'session', now)
    .filter(({ id }) => standing.includes(id))
    .map(({ value }) => escaped(value))
    .join(' · ');
  const name = escaped(shortened(nameOf(reading), nameLength));
  const usage = rowsOf(reading, 'window', now).find(({ id }) => id === 'usage');
  const bar = usage?.share === undefined ? '' : reading.display.bar;
  const amount = usage && [`**${escaped(usage.value)}**`, usage.note && `· ${escaped(usage.note)}`];
  return [`**${name}**${who && ` — ${who}`}`, [bar, ...(amount ?? [])].filter(Boolean).join(' ')].join('  \n');
}

/** The rows of the session in the heading. */
const standing = ['agent', 'model', 'activity', 'host'];

/**
 * Returns the icon of a level, for users who cannot see its color. The icon of an inactive session never signals an
 * alarm.
 */
export function levelIcon(reading: Reading): string {
  const { level } = reading.compaction;
  return level === 'ok' || isDim(reading) ? '$(clock)' : level === 'soon' ? '$(warning)' : '$(error)';
}

/** Returns the largest parts of the window as a table; the first of them is its head. */
function table(reading: Reading, count: number, now: number): string {
  const rows = rowsOf(reading, 'parts', now)
    .filter(({ kind }) => kind)
    .slice(0, count)
    .map(({ label, value, share }) => `| ${[label, value, shareWords(share ?? null)].map(escaped).join(' | ')} |`);
  const [first, ...rest] = rows;
  return first === undefined ? '' : [first, '|:--|--:|--:|', ...rest].join('\n');
}

/** Returns when it compacts, what is unusual, and links. */
function foot(reading: Reading, view: TooltipView, unusual: string): string {
  const left = rowsOf(reading, 'parts', view.now).find(({ id }) => id === 'left');
  const when = [...valuesOf(reading, 'window', ['until'], view.now), left && `${left.value} ${left.note}`]
    .filter(Boolean)
    .join(' · ');
  const links = view.trouble
    ? [wayLinks(view.trouble.ways)]
    : [link('ctx.showPanel', vscode.l10n.t('Details')), link('ctx.pickSession', vscode.l10n.t('Sessions'))];
  if (view.reason && (view.sessions ?? 0) > 1 && !view.trouble) {
    links.push(`*${escaped(vscode.l10n.t('one of {0} sessions: {1}', view.sessions ?? 0, reasonWords(view.reason)))}*`);
  }
  return [when && `${levelIcon(reading)} ${escaped(when)}`, unusual, view.reason ? links.join(' · ') : '']
    .filter(Boolean)
    .join('  \n');
}

/** Returns the cost of coming back, and when the session compacts by itself. */
function comingBack(reading: Reading, now: number): string {
  return rowsOf(reading, 'cache', now, isLong)
    .filter(({ id }) => id === 'back' || id === 'compactsAt')
    .map(({ label, value }) => [label, value].filter(Boolean).join(': '))
    .join(' ');
}

/** Returns the most important unusual fact, with an icon; empty if there is none. */
function extra(reading: Reading, { outdated, trouble, now }: TooltipView): string {
  const [warning, ...others] = rowsOf(reading, 'warnings', now).map(({ value }) => value);
  const all: [string, string][] = [
    ['history', outdated ?? ''],
    ['warning', trouble?.sentence ?? ''],
    ['alert', warning === undefined ? '' : `${warning}${others.length > 0 ? ` (+${others.length})` : ''}`],
    ['history', comingBack(reading, now)],
    ['info', valuesOf(reading, 'compaction', ['whole'], now).join('')],
    ['info', valuesOf(reading, 'compaction', ['counts'], now).join('')],
  ];
  const [icon, text] = all.find(([, sentence]) => sentence !== '') ?? ['', ''];
  return text && `$(${icon}) ${escaped(shortened(text, twoLines))}`;
}
