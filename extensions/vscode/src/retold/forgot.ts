// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { Basis, ForgotAfter, ForgotAnswer, ForgotItem } from '../../api/types';
import { CallError } from '../backend';
import { fullName } from '../names';
import { said } from '../phrases';
import { exact, mark } from '../words';

const scheme = 'ctx-forgot';

/**
 * Shows two documents next to each other: the window before a compaction, and the items that were kept, with the
 * summary below. The documents are requested when the editor opens them, and are not stored.
 */
export class Forgotten implements vscode.Disposable {
  private readonly provider: vscode.Disposable;

  constructor(private readonly call: <T>(method: string, params: object) => Promise<T>) {
    this.provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => this.content(uri),
    });
  }

  /** Shows the last compaction of a session. */
  async show(reading: Reading): Promise<void> {
    const { session } = reading;
    let answer: ForgotAnswer;
    try {
      answer = await this.call<ForgotAnswer>('ctx/forgot', { id: session });
    } catch (error) {
      const { message } = CallError.from(error);
      vscode.window.showInformationMessage(
        reading.compactions === 0
          ? vscode.l10n.t('The session was not compacted yet, so nothing was dropped: {0}', fullName(reading))
          : said(message),
      );
      return;
    }
    // A document is asked for once; the number of the compaction keeps one apart from the next.
    const at = (side: string): vscode.Uri =>
      vscode.Uri.from({
        scheme,
        path: `/${side}.md`,
        query: new URLSearchParams({ session, compaction: String(answer.compaction) }).toString(),
      });
    await vscode.commands.executeCommand(
      'vscode.diff',
      at('before'),
      at('after'),
      vscode.l10n.t('Compaction {0}: {1}', answer.compaction, outcome(answer)),
      { preview: true },
    );
  }

  dispose(): void {
    this.provider.dispose();
  }

  private async content(uri: vscode.Uri): Promise<string> {
    const asked = new URLSearchParams(uri.query);
    const answer = await this.call<ForgotAnswer>('ctx/forgot', {
      id: asked.get('session') ?? '',
      compaction: Number(asked.get('compaction')),
    });
    return uri.path.startsWith('/before') ? before(answer) : after(answer);
  }
}

/** Returns the items of the window before the compaction, in their order. */
export function before(answer: ForgotAnswer): string {
  return `${vscode.l10n.t('Before the compaction')}\n\n${answer.items.map(line).join('\n')}\n`;
}

/** Returns the items that were kept or are in the summary, the agent's own size, and the summary. */
export function after(answer: ForgotAnswer): string {
  const through = answer.items.filter((i) => i.state !== 'gone').map(line);
  const summary = answer.summaryTells ? answer.summary : vscode.l10n.t('The agent does not record its summary.');
  const size = answer.after === null ? '' : `${compared(answer.after, answer.basis)}\n\n`;
  return `${vscode.l10n.t('After it: {0}', outcome(answer))}\n\n${size}${through.join('\n')}\n\n${vscode.l10n.t('Summary')}\n\n${summary}\n`;
}

/** The tokens of each state in the user's language; the daemon's text is the same in English. */
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
        'Kept {0}, summarized {1}, gone {2} tokens of {3}.',
        ...[kept.tokens, inSummary.tokens, gone.tokens, total].map(exact),
      )
    : vscode.l10n.t(
        'Kept {0}, unknown {1} tokens of {2}, because the summary is not recorded.',
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

/** The name of a thing; what has none is called like its kind, and that is translated. */
function nameOf({ kind, label }: ForgotItem): string {
  return kind === 'toolCalls' || kind === 'toolResults' ? label : vscode.l10n.t(label);
}

/** A line is the same on both sides, so that only what is gone differs. */
function line(item: ForgotItem): string {
  const tokens = item.tokens === null ? '?' : exact(item.tokens);
  const what = item.excerpt ? `${nameOf(item)}: ${item.excerpt}` : nameOf(item);
  return `${tokens.padStart(9)}  ${what}${item.state === 'inSummary' ? `  (${vscode.l10n.t('in the summary')})` : ''}`;
}
