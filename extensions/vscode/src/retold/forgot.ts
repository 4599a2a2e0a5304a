// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { ForgotAnswer, ForgotItem } from '../../api/types';
import { CallError } from '../backend';
import { escaped, row } from '../markdown';
import { fullName, nameOf } from '../names';
import type { Pages } from '../pages';
import { words } from '../phrases';
import { exact } from '../words';

/** Shows what a compaction kept, what its summary mentions, and what it dropped, as a page. */
export class Forgotten {
  constructor(
    private readonly call: <T>(method: string, params: object) => Promise<T>,
    private readonly pages: Pages,
  ) {}

  /** Shows the last compaction of a session. */
  async show(reading: Reading): Promise<void> {
    let answer: ForgotAnswer;
    try {
      answer = await this.call<ForgotAnswer>('ctx/forgot', { id: reading.session });
    } catch (error) {
      const { message } = CallError.from(error);
      vscode.window.showInformationMessage(
        reading.compaction.count === 0
          ? vscode.l10n.t('The session was not compacted yet, so nothing was dropped: {0}', fullName(reading))
          : message,
      );
      return;
    }
    await this.pages.show(
      vscode.l10n.t('Compaction {0}', answer.compaction),
      forgottenPage(answer, nameOf(reading), reading.compaction),
    );
  }
}

type Compacted = Pick<Reading['compaction'], 'count' | 'last'>;

/**
 * Returns the page: the outcome in numbers, then the largest dropped things, the items of each state, and the summary.
 * Their texts are escaped, so that they are not read as Markdown.
 */
export function forgottenPage(answer: ForgotAnswer, name: string, { count, last }: Compacted): string {
  const part = (title: string, state: ForgotItem['state'], tokens: number): string[] => {
    const items = answer.items.filter((item) => item.state === state);
    return items.length === 0
      ? []
      : [`## ${title}: ${exact(tokens)}`, '', '| | |', '|--:|:--|', ...items.map((item) => line(item)), ''];
  };
  const left = last && count === answer.compaction ? [escaped(words(last.text)), ''] : [];
  const summary = answer.summaryTells
    ? ['~~~text', answer.summary.replaceAll('~~~', '~ ~'), '~~~']
    : [vscode.l10n.t('The agent does not record its summary.')];
  return [
    `# ${escaped(name)}`,
    '',
    `**${escaped(outcome(answer))}**`,
    '',
    ...left,
    ...largest(answer),
    ...part(vscode.l10n.t('Kept'), 'kept', answer.kept.tokens),
    ...part(vscode.l10n.t('In the summary'), 'inSummary', answer.inSummary.tokens),
    ...part(vscode.l10n.t('Unknown'), 'unknown', answer.unknown.tokens),
    ...part(vscode.l10n.t('Dropped'), 'gone', answer.gone.tokens),
    `## ${vscode.l10n.t('Summary')}`,
    '',
    ...summary,
    '',
  ].join('\n');
}

/** Returns the tokens of each state in the user's language; in English, this is the daemon's text. */
function outcome(answer: ForgotAnswer): string {
  const { text, items, summaryTells, total, kept, inSummary, gone, unknown } = answer;
  if (vscode.l10n.bundle === undefined) {
    return text;
  }
  if (items.length === 0) {
    return vscode.l10n.t('The window contained only reasoning.');
  }
  return summaryTells
    ? vscode.l10n.t(
        'Of {3} tokens in the conversation, {0} were kept, {1} are mentioned in the summary, and {2} were dropped.',
        ...[kept.tokens, inSummary.tokens, gone.tokens, total].map(exact),
      )
    : vscode.l10n.t(
        'Of {2} tokens in the conversation, {0} were kept; {1} are unknown, because the summary is not recorded.',
        ...[kept.tokens, unknown.tokens, total].map(exact),
      );
}

/** Returns the largest things that were dropped, and how many others there are. */
function largest({ largest, more }: ForgotAnswer): string[] {
  const rows = largest.map(({ items, ...thing }) => {
    const times = items > 1 ? ` ×${items}` : '';
    return row(exact(thing.tokens), `${named(thing)}${times}`);
  });
  if (more.items > 0) {
    rows.push(row(exact(more.tokens), escaped(vscode.l10n.t('and {0} more', more.items))));
  }
  return rows.length === 0 ? [] : [`## ${vscode.l10n.t('The largest')}`, '', '| | |', '|--:|:--|', ...rows, ''];
}

/** Returns the name of an item; the name of its kind, which is used if it has none, is translated. */
function thing({ kind, label }: Named): string {
  return kind === 'toolCalls' || kind === 'toolResults' ? label : vscode.l10n.t(label);
}

/** Returns a table row: the tokens, and the item with the beginning of its text. */
function line(item: ForgotItem): string {
  const tokens = item.tokens === null ? '?' : exact(item.tokens);
  return row(tokens, named(item));
}

type Named = Pick<ForgotItem, 'kind' | 'label' | 'excerpt'>;

/** Returns the name of an item with the beginning of its text. */
function named(item: Named): string {
  return `${escaped(thing(item))}${item.excerpt ? `: ${escaped(item.excerpt)}` : ''}`;
}
