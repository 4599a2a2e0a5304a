// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { Basis, ForgotAfter, ForgotAnswer, ForgotItem } from '../../api/types';
import { CallError } from '../backend';
import { escaped, row } from '../markdown';
import { fullName, nameOf } from '../names';
import type { Pages } from '../pages';
import { exact, mark } from '../words';

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
        reading.compactions === 0
          ? vscode.l10n.t('The session was not compacted yet, so nothing was dropped: {0}', fullName(reading))
          : message,
      );
      return;
    }
    await this.pages.show(vscode.l10n.t('Compaction {0}', answer.compaction), forgottenPage(answer, nameOf(reading)));
  }
}

/**
 * Returns the page: the outcome in numbers, then the items of each state, then the summary. Their texts are escaped, so
 * that they are not read as Markdown.
 */
export function forgottenPage(answer: ForgotAnswer, name: string): string {
  const part = (title: string, state: ForgotItem['state'], tokens: number): string[] => {
    const items = answer.items.filter((item) => item.state === state);
    return items.length === 0
      ? []
      : [`## ${title}: ${exact(tokens)}`, '', '| | |', '|--:|:--|', ...items.map((item) => line(item)), ''];
  };
  const size = answer.after === null ? [] : [escaped(compared(answer.after, answer.basis)), ''];
  const summary = answer.summaryTells
    ? ['~~~text', answer.summary.replaceAll('~~~', '~ ~'), '~~~']
    : [vscode.l10n.t('The agent does not record its summary.')];
  return [
    `# ${escaped(name)}`,
    '',
    `**${escaped(outcome(answer))}**`,
    '',
    ...size,
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

/** Compares the agent's own size after the compaction with the transcript, in the user's language. */
function compared(a: ForgotAfter, basis: Basis): string {
  if (vscode.l10n.bundle === undefined) {
    return a.text;
  }
  const sentences = [
    vscode.l10n.t('The agent reports {0} tokens after the compaction, a quarter of the characters.', exact(a.reported)),
    vscode.l10n.t(
      'By that measure the transcript contains {0}: summary {1}, kept messages {2}, attached {3}.',
      ...[a.found, a.summary, a.messages, a.attached].map(exact),
    ),
  ];
  if (!a.agrees) {
    sentences.push(
      a.notFound > 0
        ? vscode.l10n.t('The other {0} are not in the transcript.', exact(a.notFound))
        : vscode.l10n.t('That is {0} more than the agent reports.', exact(-a.notFound)),
    );
  }
  sentences.push(
    vscode.l10n.t(
      'Counted for the model it is {0}: kept {1}, summary {2}, newly attached {3}.',
      `${mark(basis)}${exact(a.tokens)}`,
      ...[a.keptTokens, a.summaryTokens, a.addedTokens].map(exact),
    ),
  );
  return sentences.join(' ');
}

/** Returns the name of an item; the name of its kind, which is used if it has none, is translated. */
function thing({ kind, label }: ForgotItem): string {
  return kind === 'toolCalls' || kind === 'toolResults' ? label : vscode.l10n.t(label);
}

/** Returns a table row: the tokens, and the item with the beginning of its text. */
function line(item: ForgotItem): string {
  const tokens = item.tokens === null ? '?' : exact(item.tokens);
  const excerpt = item.excerpt ? `: ${escaped(item.excerpt)}` : '';
  return row(tokens, `${escaped(thing(item))}${excerpt}`);
}
