// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Child, EarlierSession, Reading } from '../../api/protocol';
import { agentName } from '../agents';
import { fullness } from '../fullness';
import { age, fullName, hostWords, isDim, isEarlier, nameOf, shortAge, shortened, standing } from '../names';
import { valuesOf } from '../panel/rows';
import { isOfToday, pastFullness } from '../past';
import { byFullness, liveFirst } from '../sessions';
import { barOf, plain, severity } from '../statusText';

/** A node in the tree of sessions. */
export type SessionNode =
  | { readonly kind: 'session'; readonly reading: Reading | Child; readonly parent: string | undefined }
  | { readonly kind: 'group'; readonly id: 'elsewhere' | 'earlier'; readonly nodes: readonly SessionNode[] }
  | { readonly kind: 'past'; readonly past: EarlierSession }
  | { readonly kind: 'line'; readonly text: string; readonly detail?: string; readonly icon: string }
  | { readonly kind: 'way'; readonly title: string; readonly command: string };

/** The data of the tree. */
export interface SessionsView {
  readonly here: readonly Reading[];
  readonly elsewhere: readonly Reading[];
  /** Sessions that the daemon has not read because they are inactive: those of this window, and the others. */
  readonly past: readonly EarlierSession[];
  readonly pastElsewhere: readonly EarlierSession[];
  /** The session that all front ends show now. */
  readonly shown: string | undefined;
  readonly now: number;
}

/** The maximum length of a name in a row, so that the description stays visible in a view of 240 pixels. */
const nameLength = 15;

/** Returns the name of a session in a row. */
function rowName(session: Parameters<typeof nameOf>[0]): string {
  return plain(shortened(nameOf(session), nameLength));
}

/**
 * Returns the top of the tree: the sessions of this workspace, and groups for those elsewhere and earlier ones. In
 * each, sessions that are read come first, because they were active last.
 */
export function topNodes({ here, elsewhere, past, pastElsewhere, now }: SessionsView): SessionNode[] {
  const isPast = (r: Reading): boolean => isEarlier(r, now);
  const isRead = new Set([...here, ...elsewhere].map((r) => r.session));
  const unread = (all: readonly EarlierSession[], today: boolean): SessionNode[] =>
    all
      .filter((p) => !isRead.has(p.session) && isOfToday(p, now) === today)
      .map((p): SessionNode => ({ kind: 'past', past: p }));
  const nodes = [...sessionNodes(here.filter((r) => !isPast(r))), ...unread(past, true)];
  const others = [...sessionNodes(elsewhere.filter((r) => !isPast(r))), ...unread(pastElsewhere, true)];
  if (others.length > 0) {
    nodes.push({ kind: 'group', id: 'elsewhere', nodes: others });
  }
  const before = [
    ...sessionNodes([...here, ...elsewhere].filter(isPast)),
    ...unread([...past, ...pastElsewhere], false),
  ];
  if (before.length > 0) {
    nodes.push({ kind: 'group', id: 'earlier', nodes: before });
  }
  return nodes;
}

function sessionNodes(readings: readonly Reading[]): SessionNode[] {
  return [...readings].sort(liveFirst).map((reading) => ({ kind: 'session', reading, parent: undefined }));
}

/** Returns the children of a node: sub-agents of a session, sessions of a group. */
export function nodesBelow(node: SessionNode): SessionNode[] {
  switch (node.kind) {
    case 'session':
      return [...node.reading.children]
        .sort(byFullness)
        .map((child) => ({ kind: 'session', reading: child, parent: node.reading.session }));
    case 'group':
      return [...node.nodes];
    default:
      return [];
  }
}

/** Returns the tree item of a node. */
export function sessionItem(node: SessionNode, { shown, now }: SessionsView): vscode.TreeItem {
  switch (node.kind) {
    case 'session':
      return readingItem(node, shown, now);
    case 'group': {
      const open = node.id === 'elsewhere';
      const item = new vscode.TreeItem(
        open ? vscode.l10n.t('Elsewhere') : vscode.l10n.t('Earlier'),
        open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
      );
      item.id = `group:${node.id}`;
      item.contextValue = `group.${node.id}`;
      return item;
    }
    case 'past': {
      const { session, agent, modified, workspace, glimpse } = node.past;
      const past = { ...node.past, asOf: modified, label: '' };
      const full = pastFullness(node.past);
      const item = new vscode.TreeItem(rowName(past));
      item.id = `past:${session}`;
      item.description = plain(shortAge(past, now));
      const of = glimpse && [full, glimpse.display.used, glimpse.display.limit].filter(Boolean).join(' · ');
      const who = [agentName(agent), age(past, now)].filter(Boolean).join(' · ');
      item.tooltip = [nameOf(past), of, glimpse?.model, who, hostWords(node.past), workspace]
        .filter(Boolean)
        .join('\n');
      item.accessibilityInformation = { label: item.tooltip.replaceAll('\n', ', ') };
      const idle = new vscode.ThemeColor('ctx.idleForeground');
      const percent = glimpse?.percent ?? null;
      item.iconPath =
        percent !== null
          ? new vscode.ThemeIcon(barOf(percent), idle)
          : new vscode.ThemeIcon(isOfToday(node.past, now) ? 'circle-outline' : 'history', idle);
      item.contextValue = 'past';
      item.command = { command: chooseCommand, title: vscode.l10n.t('Show It') };
      return item;
    }
    case 'line': {
      const item = new vscode.TreeItem(plain(node.text));
      item.description = plain(shortened(node.detail ?? '', 110));
      item.tooltip = [node.text, node.detail].filter(Boolean).join('\n');
      item.iconPath = new vscode.ThemeIcon(node.icon);
      return item;
    }
    case 'way': {
      const item = new vscode.TreeItem(node.title);
      item.iconPath = new vscode.ThemeIcon('arrow-right');
      item.command = { command: node.command, title: node.title };
      return item;
    }
  }
}

/**
 * The command of a row: shows the selected session in all front ends. It is not in the palette. It has no arguments,
 * because an editor forgets the arguments of a row when the tree is redrawn, and clicking on a session while it changes
 * would fail with “Actual command not found”.
 */
export const chooseCommand = 'ctx.view.choose';

function readingItem(
  { reading, parent }: SessionNode & { kind: 'session' },
  shown: string | undefined,
  now: number,
): vscode.TreeItem {
  const item = new vscode.TreeItem(
    rowName(reading),
    reading.children.length > 0 ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None,
  );
  // The tree remembers the first state of an element. So a session gets a new id with its first sub-agent, which makes
  // the sub-agents visible.
  item.id = `session:${reading.session}${reading.children.length > 0 ? ':parent' : ''}`;
  // A dot marks the session that all front ends show.
  item.description = plain([rowNumber(reading, now), reading.session === shown ? '•' : ''].filter(Boolean).join(' '));
  item.iconPath = levelIcon(reading);
  item.tooltip = tooltip(reading, now);
  const marked = reading.session === shown ? `, ${vscode.l10n.t('shown')}` : '';
  item.accessibilityInformation = { label: `${item.tooltip.replaceAll('\n', ', ')}${marked}` };
  item.contextValue = parent === undefined ? ('file' in reading ? 'session.file' : 'session') : 'child';
  item.command = { command: chooseCommand, title: vscode.l10n.t('Show It') };
  return item;
}

/**
 * Returns the text next to a name: how full a live session is, or that it asks for an approval; for an idle one, its
 * age.
 */
function rowNumber(reading: Reading | Child, now: number): string {
  if (isDim(reading)) {
    return shortAge(reading, now);
  }
  return reading.waitingFor === 'approval' ? vscode.l10n.t('approval') : fullness(reading);
}

/** Returns the facts about a session in a few lines of plain text, so that names from a transcript stay text. */
function tooltip(reading: Reading | Child, now: number): string {
  const { display: d } = reading;
  const full = reading.limit === null ? `${d.mark}${d.used}` : `${d.mark}${d.percent} · ${d.used} / ${d.limit}`;
  return [
    fullName(reading),
    full,
    ...('panel' in reading ? valuesOf(reading, 'window', ['until'], now) : []),
    ...('panel' in reading ? valuesOf(reading, 'compaction', ['whole'], now) : []),
    [reading.model, ...standing(reading, now)].filter(Boolean).join(' · '),
    reading.workspace,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Returns how full the window is, as a bar in the color of its level; an idle session is dimmed. */
function levelIcon(reading: Reading | Child): vscode.ThemeIcon {
  const level = severity('level' in reading ? reading.level : reading.compaction.level);
  const colour = isDim(reading)
    ? 'ctx.idleForeground'
    : { error: 'list.errorForeground', warning: 'list.warningForeground', none: 'charts.green' }[level];
  const { percent } = reading;
  return new vscode.ThemeIcon(percent === null ? 'circle-outline' : barOf(percent), new vscode.ThemeColor(colour));
}
