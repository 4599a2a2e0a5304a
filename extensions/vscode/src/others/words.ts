// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Reading } from '../../api/protocol';
import { fullName, withoutOpening } from '../names';
import { kindLabel } from '../parts';
import { exact, freedBy, lead, mark } from '../words';

/** How many of the largest items are listed. */
export const listedItems = 10;

/**
 * Describes a session in a few lines of Markdown, for a model or a chat: how full it is, when it compacts, and its
 * largest items.
 */
export function describe(reading: Reading, items: Items | undefined): string {
  const { compaction: c, display: d } = reading;
  const lines = [
    `${fullName(withoutOpening(reading))}: ${lead(reading, Date.now())}`,
    reading.limit === null
      ? vscode.l10n.t('Used: {0} tokens', `${d.mark}${exact(reading.used)}`)
      : vscode.l10n.t(
          'Used: {0} of {1} tokens ({2})',
          `${d.mark}${exact(reading.used)}`,
          exact(reading.limit),
          d.percent,
        ),
  ];
  if (c.threshold !== null) {
    lines.push(vscode.l10n.t('Compacts at {0} tokens; {1} are left.', exact(c.threshold), d.left));
  }
  const largest = items?.items.slice(0, listedItems) ?? [];
  if (largest.length > 0) {
    lines.push(
      '',
      vscode.l10n.t('Largest:'),
      ...largest.map((i) => `- ${i.label.text || kindLabel(i.kind)}: ${mark(i.basis)}${exact(i.tokens)}`),
    );
  }
  if (reading.advice.length > 0) {
    lines.push('', vscode.l10n.t('You can remove:'));
    for (const a of reading.advice) {
      lines.push(
        `- ${vscode.l10n.t('{0}: frees {1} tokens', a.how ? `${a.label.text} (${a.how.text})` : a.label.text, freedBy(a))}`,
      );
    }
  }
  return lines.join('\n');
}
