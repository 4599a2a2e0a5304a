// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../api/protocol';
import { fullName, withoutOpening } from './names';
import type { ShownRow, ShownSection } from './panel/messages';
import { kindLabel } from './parts';
import { translatedItems } from './phrases';
import { exact, mark } from './words';

/** The sections of a panel with numbers and labels only. */
const copied = ['window', 'contents', 'compaction', 'numbers', 'advice', 'cache', 'warnings'];
/** The rows that are copied of the session itself, and one that is left out. */
const who = ['agent', 'model'];
const transcript = 'transcript';

/** Returns a panel as plain text for the clipboard: numbers and labels, but nothing from the conversation. */
export function numbers(panel: readonly ShownSection[]): string {
  const lines = panel.flatMap(({ id, title, rows }) => {
    const all = rows.filter((row) => (id === 'session' ? who : copied).includes(id === 'session' ? row.id : id));
    const shown = all.filter((row) => row.id !== transcript && row.id !== 'full').map(line);
    return shown.length > 0 ? ['', title, ...shown] : [];
  });
  return `${lines.slice(1).join('\n')}\n`;
}

function line({ label, value, note }: ShownRow): string {
  return `  ${label ? `${label}: ` : ''}${value}${note ? ` (${note})` : ''}`;
}

/**
 * Returns the facts of a session for continuing it elsewhere: its name, its folder, its largest items, and the path of
 * its transcript. It contains nothing from the conversation.
 */
export function handover(reading: Reading, items: Items | undefined, panel: readonly ShownSection[]): string {
  const lines = [vscode.l10n.t('Session: {0} ({1})', fullName(withoutOpening(reading)), reading.session)];
  if (reading.workspace) {
    lines.push(vscode.l10n.t('Folder: {0}', reading.workspace));
  }
  if (reading.host) {
    lines.push(vscode.l10n.t('Runs in: {0}', reading.host));
  }
  if (reading.branch) {
    lines.push(vscode.l10n.t('Branch: {0}', reading.branch));
  }
  if (reading.file) {
    lines.push(vscode.l10n.t('Transcript: {0}', reading.file));
  }
  const largest = (items ? translatedItems(items).items : []).slice(0, 12);
  if (largest.length > 0) {
    lines.push(vscode.l10n.t('Largest items in its window:'));
    for (const i of largest) {
      lines.push(`  ${i.label.text || kindLabel(i.kind)}: ${mark(i.basis)}${exact(i.tokens)}`);
    }
  }
  return `${lines.join('\n')}\n\n${numbers(panel)}`;
}
