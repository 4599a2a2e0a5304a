// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';

/**
 * What the calculator and the daemon say in English, in the person's language. They say whole sentences, because not
 * every face can translate; here each sentence is known by its form, and what stands in it is put into the translation.
 * A sentence that is not known stays English.
 */
export function said(text: string): string {
  if (vscode.l10n.bundle === undefined) {
    return text;
  }
  book ??= forms().map(([english, translated]) => [matching(english), translated] as const);
  for (const [form, translated] of book) {
    const found = form.exec(text);
    if (found) {
      return translated.replace(/\{(\d)\}/g, (_, i: string) => {
        const value = found.groups?.[`v${i}`] ?? '';
        return value === text ? value : said(value);
      });
    }
  }
  return text;
}

/** A Reading whose names of parts, advice and sentences are in the person's language, for every face. */
export function translated(reading: Reading): Reading {
  if (vscode.l10n.bundle === undefined) {
    return reading;
  }
  const { breakdown, advice, warnings, mcpServers, rangeCause, accuracy, leaving } = reading;
  return {
    ...reading,
    breakdown: breakdown.map((row) => ({ ...row, label: said(row.label) })),
    advice: advice.map((a) => ({ ...a, label: said(a.label), how: said(a.how) })),
    warnings: warnings.map(said),
    mcpServers: mcpServers.map((s) => ({ ...s, text: said(s.text) })),
    rangeCause: said(rangeCause),
    leaving: { ...leaving, reasons: leaving.reasons.map((r) => ({ ...r, reason: said(r.reason) })) },
    accuracy: accuracy.last ? { ...accuracy, last: { ...accuracy.last, cause: said(accuracy.last.cause) } } : accuracy,
  };
}

let book: (readonly [RegExp, string])[] | undefined;

/** A form as an expression; each hole takes as little as fits. */
function matching(english: string): RegExp {
  const source = english
    .split(/(\{\d\})/)
    .map((piece) => (/^\{\d\}$/.test(piece) ? `(?<v${piece[1]}>.+?)` : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 's');
}

/** Every form, as the calculator says it, beside its translation. */
function forms(): [string, string][] {
  return [
    // The parts of the window.
    ['System prompt', vscode.l10n.t('System prompt')],
    ['Built-in tools', vscode.l10n.t('Built-in tools')],
    ['Tools', vscode.l10n.t('Tools')],
    ['MCP tools', vscode.l10n.t('MCP tools')],
    ['Skills', vscode.l10n.t('Skills')],
    ['Agents', vscode.l10n.t('Agents')],
    ['Memory', vscode.l10n.t('Memory')],
    ['Documents', vscode.l10n.t('Documents')],
    ['Summary', vscode.l10n.t('Summary')],
    ['User', vscode.l10n.t('User')],
    ['Assistant', vscode.l10n.t('Assistant')],
    ['Tool calls', vscode.l10n.t('Tool calls')],
    ['Tool results', vscode.l10n.t('Tool results')],
    ['Reasoning', vscode.l10n.t('Reasoning')],
    ['Media', vscode.l10n.t('Media')],
    ['Messages', vscode.l10n.t('Messages')],
    ['System prompt and tools', vscode.l10n.t('System prompt and tools')],
    ['Not in the transcript', vscode.l10n.t('Not in the transcript')],
    ['Not in the transcript, with tool results', vscode.l10n.t('Not in the transcript, with tool results')],
    ['Not in the transcript, with a message', vscode.l10n.t('Not in the transcript, with a message')],
    ['Not in the transcript, at a resume', vscode.l10n.t('Not in the transcript, at a resume')],
    ['Not in the transcript, after a compaction', vscode.l10n.t('Not in the transcript, after a compaction')],
    ['Not in the transcript, before it began', vscode.l10n.t('Not in the transcript, before it began')],
    ['Not in the transcript: {0}', vscode.l10n.t('Not in the transcript: {0}')],
    // Advice.
    ['Compact the conversation', vscode.l10n.t('Compact the conversation')],
    ['Drop old tool results', vscode.l10n.t('Drop old tool results')],
    ['Clear results that were read and acted upon.', vscode.l10n.t('Clear results that were read and acted upon.')],
    ['Drop images and files', vscode.l10n.t('Drop images and files')],
    ['Take attachments out of the history.', vscode.l10n.t('Take attachments out of the history.')],
    ['Attach fewer documents', vscode.l10n.t('Attach fewer documents')],
    ['They are sent again with every turn.', vscode.l10n.t('They are sent again with every turn.')],
    ['Disable tool servers that are not used', vscode.l10n.t('Disable tool servers that are not used')],
    ['Their definitions are in every request.', vscode.l10n.t('Their definitions are in every request.')],
    ['Shorten memory files', vscode.l10n.t('Shorten memory files')],
    ['They are in every request.', vscode.l10n.t('They are in every request.')],
    ['Disable skills that are not used', vscode.l10n.t('Disable skills that are not used')],
    ['Their descriptions are in every request.', vscode.l10n.t('Their descriptions are in every request.')],
    ['Remove agent definitions that are not used', vscode.l10n.t('Remove agent definitions that are not used')],
    ['Start a new session', vscode.l10n.t('Start a new session')],
    [
      'Ask for a hand-over note first, and begin the new session with it.',
      vscode.l10n.t('Ask for a hand-over note first, and begin the new session with it.'),
    ],
    [
      'Summarise the conversation and go on from the summary.',
      vscode.l10n.t('Summarise the conversation and go on from the summary.'),
    ],
  ];
}
