// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../api/protocol';
import { agentName } from './agents';
import { fullName, withoutOpening } from './names';
import { kindLabel } from './parts';
import { translatedItems } from './phrases';
import {
  basisWords,
  exact,
  freedBy,
  levelWords,
  limitSourceWords,
  mark,
  missSentence,
  requestSentence,
  roomSentence,
  unmeasured,
} from './words';

/** Returns a Reading as plain text for the clipboard: numbers and labels, but nothing from the conversation. */
export function numbers(reading: Reading): string {
  const { compaction: c, display: d } = reading;
  const who = [agentName(reading.agent), reading.model].filter(Boolean).join(', ');
  const used = `${d.mark}${exact(reading.used)}`;
  const amount =
    reading.limit === null
      ? vscode.l10n.t('Used: {0} tokens', used)
      : vscode.l10n.t('Used: {0} of {1} tokens ({2})', used, exact(reading.limit), d.percent);
  const lines = [
    vscode.l10n.t('Context window of {0}', who || vscode.l10n.t('this session')),
    `${amount}, ${unmeasured(reading) || basisWords(reading.basis)}`,
    vscode.l10n.t('Window: {0}', limitSourceWords(reading.limitSource)),
    ...[reading.wholeWindow, requestSentence(reading), missSentence(reading), roomSentence(reading)].filter(
      (sentence) => sentence !== undefined && sentence !== '',
    ),
  ];
  if (c.threshold !== null) {
    const level = levelWords(c.level);
    lines.push(
      c.level === 'over'
        ? vscode.l10n.t('Past the compaction threshold of {0} ({1}; rule {2})', exact(c.threshold), level, c.rule)
        : vscode.l10n.t('To compaction: {0} of {1} ({2}; rule {3})', d.left, exact(c.threshold), level, c.rule),
    );
  }
  if (reading.verdict) {
    lines.push(vscode.l10n.t('Last compaction: {0}', reading.verdict.text));
  }
  for (const part of reading.breakdown) {
    lines.push(`  ${part.label}: ${mark(part.basis)}${exact(part.tokens)}`);
  }
  if (reading.agentCounts) {
    lines.push(reading.agentCounts);
  }
  for (const a of reading.advice) {
    const label = a.how ? `${a.label} (${a.how})` : a.label;
    lines.push(vscode.l10n.t('Advice: {0}, frees {1} tokens', label, freedBy(a)));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the facts of a session for continuing it elsewhere: its name, its folder, its largest items, and the path of
 * its transcript. It contains nothing from the conversation.
 */
export function handover(reading: Reading, items: Items | undefined): string {
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
      lines.push(`  ${i.label || kindLabel(i.kind)}: ${mark(i.basis)}${exact(i.tokens)}`);
    }
  }
  return `${lines.join('\n')}\n\n${numbers(reading)}`;
}
