// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../../api/protocol';
import type { FirstOf } from '../../api/types';
import { shortened, shortenedThing } from '../names';
import { kindLabel } from '../parts';
import { largestFirst, worthNaming } from '../rows';
import { plain } from '../statusText';
import { basisWords, exact, mark } from '../words';
import { setupItem } from './setup';

/** What the list of what fills a window consists of. */
export type FillNode =
  | { readonly kind: 'group'; readonly id: 'named' | 'parts' | 'servers' }
  | { readonly kind: 'setup'; readonly item: vscode.TreeItem }
  | {
      readonly kind: 'leaf';
      readonly label: string;
      /** The same, short enough for what stands beside it to stay in sight. */
      readonly short: string;
      /** Its tokens, which stand first: an editor cuts the end of what a narrow view has no room for. */
      readonly amount: string;
      readonly detail: string;
      readonly icon: string;
      readonly tooltip: string;
      /** The line of the transcript where it is, where that is known. */
      readonly place: number | null;
    };

/** What fills one session. */
export interface FillView {
  readonly reading: Reading;
  readonly items: Items | undefined;
  /** Whether its transcript is a text that an editor can open. */
  readonly canOpen: boolean;
  /** What the sessions of its workspace began with, once that is known. */
  readonly setup?: FirstOf | undefined;
}

/** How long a name in the list may be, so that its end, which says most, is in sight beside its number. */
const labelLength = 22;

/** The groups that have anything in them (named things, parts of the window, MCP servers), and the setup over time. */
export function fillGroups({ reading, items, setup }: FillView): FillNode[] {
  const groups: FillNode[] = [];
  if ((items?.items.length ?? 0) > 0) {
    groups.push({ kind: 'group', id: 'named' });
  }
  if (reading.breakdown.length > 0) {
    groups.push({ kind: 'group', id: 'parts' });
  }
  if (reading.mcpServers.length > 0) {
    groups.push({ kind: 'group', id: 'servers' });
  }
  const item = setup && setupItem(setup, reading, Date.now());
  if (item) {
    groups.push({ kind: 'setup', item });
  }
  return groups;
}

/** What is in one group, largest first. */
export function fillLeaves({ reading, items, canOpen }: FillView, group: 'named' | 'parts' | 'servers'): FillNode[] {
  switch (group) {
    case 'named':
      return worthNaming(items?.items ?? []).map((item) => ({
        kind: 'leaf',
        label: named(item),
        short: `${shortenedThing(item.label || kindLabel(item.kind), labelLength)}${often(item.times)}`,
        amount: `${mark(item.basis)}${exact(item.tokens)}`,
        detail: item.share === null ? '' : `${exact(item.share)}%`,
        icon: icons[item.what] ?? 'symbol-misc',
        tooltip: basisWords(item.basis),
        place: canOpen ? item.place : null,
      }));
    case 'parts':
      return largestFirst(reading.breakdown).map((row) => ({
        kind: 'leaf',
        label: row.label,
        short: shortened(row.label, labelLength),
        amount: `${mark(row.basis)}${exact(row.tokens)}`,
        detail: row.deferred ? vscode.l10n.t('deferred, not in the window') : '',
        icon: 'dash',
        tooltip: basisWords(row.basis),
        place: null,
      }));
    case 'servers':
      return reading.mcpServers.map(({ name, text }) => ({
        kind: 'leaf',
        label: name,
        short: shortened(name, labelLength),
        amount: '', // its text has the number where there is one
        // The text begins with the name too, before a comma of the person's language.
        detail: text.startsWith(name) ? text.slice(name.length).replace(/^[,、，]\s*/, '') : text,
        icon: 'plug',
        tooltip: text,
        place: null,
      }));
  }
}

/** One line of the list. */
export function fillItem(node: FillNode, { reading }: FillView): vscode.TreeItem {
  if (node.kind === 'group') {
    const titles = {
      named: vscode.l10n.t('Largest items'),
      parts: vscode.l10n.t('Parts of the window'),
      servers: vscode.l10n.t('MCP servers'),
    };
    const item = new vscode.TreeItem(titles[node.id], vscode.TreeItemCollapsibleState.Expanded);
    item.id = `${reading.session}:${node.id}`;
    return item;
  }
  if (node.kind === 'setup') {
    return node.item;
  }
  const item = new vscode.TreeItem(plain([node.amount, node.short].filter(Boolean).join(' ')));
  item.description = plain(node.detail);
  item.iconPath = new vscode.ThemeIcon(node.icon);
  const amount = [node.amount, node.detail].filter(Boolean).join(' · ');
  item.tooltip = [node.label, amount, node.tooltip].join('\n');
  if (node.place !== null) {
    item.tooltip += `\n${vscode.l10n.t('Line {0} of the transcript', exact(node.place))}`;
    item.contextValue = 'placed';
    item.command = {
      command: placeCommand,
      title: vscode.l10n.t('Open Its Line in the Transcript'),
    };
  }
  return item;
}

/** The command of a line of the list: opens the transcript there. The palette does not have it. */
export const placeCommand = 'ctx.view.place';

/** The name of a thing, and how often it is there. */
export function named({ label, kind, times }: Items['items'][number]): string {
  return `${label || kindLabel(kind)}${often(times)}`;
}

function often(times: number): string {
  return times > 1 ? ` ×${times}` : '';
}

/** None is called “file” or “folder”: these are drawn by a person's icon theme, which may have none for them. */
const icons: Readonly<Record<string, string>> = {
  file: 'file-code',
  command: 'terminal',
  tool: 'tools',
  url: 'globe',
  mcp: 'plug',
  agent: 'type-hierarchy-sub',
  skill: 'lightbulb',
  others: 'ellipsis',
};
