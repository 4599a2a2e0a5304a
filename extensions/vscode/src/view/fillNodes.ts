// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../../api/protocol';
import type { FirstOf } from '../../api/types';
import { shortened } from '../names';
import type { ShownRow } from '../panel/messages';
import { rowsOf } from '../panel/rows';
import { kindLabel } from '../parts';
import { worthNaming } from '../rows';
import { plain } from '../statusText';
import { basisWords, exact, mark, shareWords, short } from '../words';
import { setupItem } from './setup';

/** A node in the tree of the window's content. */
export type FillNode =
  | { readonly kind: 'group'; readonly id: 'named' | 'parts' | 'servers' }
  | { readonly kind: 'setup'; readonly item: vscode.TreeItem }
  | {
      readonly kind: 'leaf';
      /** Its full name. */
      readonly label: string;
      /** Its name in a row. */
      readonly short: string;
      /** Its tokens, in a few characters. */
      readonly amount: string;
      /** Its exact tokens and its share of the window. */
      readonly exactly: string;
      readonly icon: string;
      readonly tooltip: string;
      /** Its line in the transcript; null if unknown. */
      readonly place: number | null;
    };

/** The content of one session's window. */
export interface FillView {
  readonly reading: Reading;
  readonly items: Items | undefined;
  /** Whether its transcript is a text that an editor can open. */
  readonly canOpen: boolean;
  /** The fixed context over time in its workspace, once that is known. */
  readonly setup?: FirstOf | undefined;
}

/** The maximum length of a name in a row, so that its number stays visible in a view of 240 pixels. */
const labelLength = 19;

/** Returns the icon of a row: a bar with the length from the Reading, in percent of the longest. */
function barIcon(length: number): string {
  return `ctx-bar-${Math.round(length / 20)}`; // layout: five cells
}

/** Returns the name of an item in a row; for a path only its last part, which is the most informative. */
function rowName({ what, label, kind, times }: Items['items'][number]): string {
  const name = what === 'file' ? label.text.replace(/^(\S+ )?.*[/\\](?=[^/\\])/, '$1') : label.text || kindLabel(kind);
  return `${shortened(name, labelLength)}${often(times)}`;
}

/**
 * Returns the groups that are not empty (attributed items, parts of the window, MCP servers), and the fixed context
 * over time.
 */
export function fillGroups({ reading, items, setup }: FillView): FillNode[] {
  const groups: FillNode[] = [];
  if ((items?.items.length ?? 0) > 0) {
    groups.push({ kind: 'group', id: 'named' });
  }
  if (partsOf(reading).length > 0) {
    groups.push({ kind: 'group', id: 'parts' });
  }
  if (rowsOf(reading, 'servers', Date.now()).length > 0) {
    groups.push({ kind: 'group', id: 'servers' });
  }
  const item = setup && setupItem(setup, reading, Date.now());
  if (item) {
    groups.push({ kind: 'setup', item });
  }
  return groups;
}

/** Returns the leaves of a group, largest first. */
export function fillLeaves({ reading, items, canOpen }: FillView, group: 'named' | 'parts' | 'servers'): FillNode[] {
  switch (group) {
    case 'named':
      return worthNaming(items?.items ?? []).map((item) => ({
        kind: 'leaf',
        label: named(item),
        short: rowName(item),
        amount: `${mark(item.basis)}${short(item.tokens)}`,
        exactly: exactly(item),
        icon: barIcon(item.bar),
        tooltip: basisWords(item.basis),
        place: canOpen ? item.place : null,
      }));
    case 'parts':
      return partsOf(reading).map((row) => ({
        kind: 'leaf',
        label: row.label,
        short: shortened(row.label, labelLength),
        amount: row.note ? '' : row.short || row.value,
        exactly: row.note || [row.value, shareWords(row.share ?? null)].filter(Boolean).join(' · '),
        icon: barIcon(row.bar ?? 0),
        tooltip: '',
        place: null,
      }));
    case 'servers':
      return rowsOf(reading, 'servers', Date.now()).map(({ value }, i) => ({
        kind: 'leaf',
        label: reading.mcpServers[i]?.name ?? value,
        short: shortened(reading.mcpServers[i]?.name ?? value, labelLength),
        amount: '',
        exactly: '',
        icon: 'plug',
        tooltip: value,
        place: null,
      }));
  }
}

/** Returns the parts of the window, without its sums. */
function partsOf(reading: Reading): ShownRow[] {
  return rowsOf(reading, 'contents', Date.now()).filter(({ kind }) => kind);
}

/** Returns the tree item of a node. */
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
  const item = new vscode.TreeItem(plain(node.short));
  item.description = node.amount;
  item.iconPath = new vscode.ThemeIcon(node.icon, new vscode.ThemeColor('charts.blue'));
  item.tooltip = [...new Set([node.label, node.exactly, node.tooltip])].filter(Boolean).join('\n');
  item.accessibilityInformation = { label: item.tooltip.replaceAll('\n', ', ') };
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

/** The command of a row: opens its line in the transcript. It is not in the palette. */
export const placeCommand = 'ctx.view.place';

/** Returns the name of an item, and how often it occurs. */
export function named({ label, kind, times }: Items['items'][number]): string {
  return `${label.text || kindLabel(kind)}${often(times)}`;
}

/** Returns the tokens of an item, and their share of the window. */
function exactly({ basis, tokens, share }: Pick<Reading['breakdown'][number], 'basis' | 'tokens' | 'share'>): string {
  return [`${mark(basis)}${exact(tokens)}`, share === null ? '' : `${exact(share)}%`].filter(Boolean).join(' · ');
}

function often(times: number): string {
  return times > 1 ? ` ×${times}` : '';
}
