// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Items, Kind, Phrase, Reading } from '../api/protocol';

/** Says each phrase of the calculator, by its id. There is none until they are learned. */
let phrases: Record<string, (...args: string[]) => string> = {};

/** Loads the phrases where the editor speaks another language than the calculator. Backends are started after it. */
export async function learnPhrases(): Promise<void> {
  if (vscode.l10n.bundle !== undefined) {
    ({ phrases } = await import('./phrases.gen'));
  }
}

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

/** Whether the calculator is asked to say phrases by their ids: where the editor speaks another language. */
export const asPhrases = (): boolean => vscode.l10n.bundle !== undefined;

/** The fields of LSP's objects that the phrase next to them is of. */
const translatedFields = ['title', 'tooltip', 'message', 'text'] as const;

/** Translates the texts in an answer about prompt files that have a phrase next to them. */
export function translateAnswer(answer: unknown): void {
  if (Array.isArray(answer)) {
    answer.forEach(translateAnswer);
    return;
  }
  if (typeof answer !== 'object' || answer === null) {
    return;
  }
  const of = answer as Record<string, unknown> & { phrase?: Phrase; contents?: { value: string } };
  if (of.phrase) {
    if (of.contents) {
      of.contents.value = inWords(of.phrase, of.contents.value);
    }
    for (const field of translatedFields) {
      const text = of[field];
      if (typeof text === 'string') {
        of[field] = inWords(of.phrase, text);
      }
    }
  }
  for (const [key, value] of Object.entries(of)) {
    if (key !== 'phrase') {
      translateAnswer(value);
    }
  }
}

/** What an English text of the calculator is in the person's language; the text itself where it is nobody's phrase. */
export function inWords(phrase: Phrase | null | undefined, text: string): string {
  const say = phrase && phrases[phrase.id];
  return say ? say(...(phrase.args ?? []).map(argument)) : text;
}

/** The value of a placeholder: a number is grouped as the user's language groups digits. */
function argument(value: string | number | Phrase): string {
  if (typeof value === 'number') {
    return new Intl.NumberFormat(vscode.env.language).format(value);
  }
  return typeof value === 'string' ? value : inWords(value, value.id);
}

/** A Reading whose names of parts, advice and sentences are in the person's language, for every face. */
export function translated(reading: Reading): Reading {
  if (vscode.l10n.bundle === undefined) {
    return reading;
  }
  const { breakdown, largest, advice, warnings, mcpServers, accuracy, leaving, agentPercent, verdict, back } = reading;
  return {
    ...reading,
    breakdown: breakdown.map(labelled),
    largest: largest.map(labelled),
    advice: advice.map((a) => ({ ...labelled(a), how: inWords(a.howPhrase, a.how) })),
    warnings: warnings.map((sentence, i) => inWords(reading.notes[i], sentence)),
    mcpServers: mcpServers.map((s) => ({ ...s, text: inWords(s.phrase, s.text) })),
    rangeCause: inWords(reading.rangePhrase, reading.rangeCause),
    verdict: verdict && { ...verdict, text: inWords(verdict.phrase, verdict.text) },
    back: back && {
      ...back,
      text: inWords(back.phrase, back.text),
      compactsText: inWords(back.compactsPhrase, back.compactsText),
      firstText: inWords(back.firstPhrase, back.firstText),
    },
    compaction: {
      ...reading.compaction,
      forecastFrom: inWords(reading.compaction.forecastPhrase, reading.compaction.forecastFrom),
      hint: inWords(reading.compaction.hintPhrase, reading.compaction.hint),
      lineFrom: inWords(reading.compaction.lineFromPhrase, reading.compaction.lineFrom),
      sources: reading.compaction.sources.map((s) => ({
        ...s,
        name: inWords(s.phrase, s.name),
        note: inWords(s.notePhrase, s.note),
      })),
    },
    leaving: { ...leaving, reasons: leaving.reasons.map((r) => ({ ...r, reason: inWords(r.phrase, r.reason) })) },
    accuracy: accuracy.last
      ? { ...accuracy, last: { ...accuracy.last, cause: inWords(accuracy.last.phrase, accuracy.last.cause) } }
      : accuracy,
    agentPercent: agentPercent && labelled(agentPercent),
    ...(reading.agentCounts && { agentCounts: inWords(reading.agentCountsPhrase, reading.agentCounts) }),
    ...(reading.wholeWindow && { wholeWindow: inWords(reading.wholeWindowPhrase, reading.wholeWindow) }),
  };
}

/** The largest things with what has no name of its own in the person's language. */
export function translatedItems(items: Items): Items {
  return vscode.l10n.bundle === undefined ? items : { ...items, items: items.items.map(labelled) };
}

/** What is called like its kind travels without a phrase: the kind is its id. The name of a thing stays as it is. */
function labelled<T extends { label: string; kind?: Kind; what?: string; phrase?: Phrase | null }>(of: T): T {
  const phrase = of.phrase === undefined && of.kind && !of.what ? { id: of.kind } : of.phrase;
  return { ...of, label: inWords(phrase, of.label) };
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
    // Troubles.
    [
      'The ctx-lsp program was found neither in this extension package nor on the PATH. Without it, sessions of agents cannot be followed; prompt files are still counted.',
      vscode.l10n.t(
        'The ctx-lsp program was found neither in this extension package nor on the PATH. Without it, sessions of agents cannot be followed; prompt files are still counted.',
      ),
    ],
    [
      '{0} (from the {1}) does not exist. Correct the path, or clear it to use the daemon of the extension.',
      vscode.l10n.t(
        '{0} (from the {1}) does not exist. Correct the path, or clear it to use the daemon of the extension.',
      ),
    ],
    [
      '{0} (from the {1}) cannot be run: the file is not executable.',
      vscode.l10n.t('{0} (from the {1}) cannot be run: the file is not executable.'),
    ],
    [
      '{0} (from the {1}) uses {2}, but this extension requires {3}. Update the older of the two.',
      vscode.l10n.t('{0} (from the {1}) uses {2}, but this extension requires {3}. Update the older of the two.'),
    ],
    [
      '{0} It was restarted several times and ended each time; “Ctx: Restart the Daemon” tries again.',
      vscode.l10n.t('{0} It was restarted several times and ended each time; “Ctx: Restart the Daemon” tries again.'),
    ],
    ['The daemon ended unexpectedly.', vscode.l10n.t('The daemon ended unexpectedly.')],
    ['The daemon ended while it started: {0}', vscode.l10n.t('The daemon ended while it started: {0}')],
    [
      'The setting {0} is {1} but must be {2}; {3} is used.',
      vscode.l10n.t('The setting {0} is {1} but must be {2}; {3} is used.'),
    ],
    [
      '{0} (from the {1}) did not respond to “version --json” within {2} ms.',
      vscode.l10n.t('{0} (from the {1}) did not respond to “version --json” within {2} ms.'),
    ],
    [
      '{0} (from the {1}) failed at “version --json”: {2}',
      vscode.l10n.t('{0} (from the {1}) failed at “version --json”: {2}'),
    ],
    [
      '{0} (from the {1}) did not return JSON for “version --json”; check that it is ctx-lsp.',
      vscode.l10n.t('{0} (from the {1}) did not return JSON for “version --json”; check that it is ctx-lsp.'),
    ],
    ['debug variable', vscode.l10n.t('debug variable')],
    ['setting', vscode.l10n.t('setting')],
    ['extension', vscode.l10n.t('extension')],
    [
      'The daemon did not respond to {0} within {1} ms.',
      vscode.l10n.t('The daemon did not respond to {0} within {1} ms.'),
    ],
    ['The daemon ended before it responded.', vscode.l10n.t('The daemon ended before it responded.')],
    ['The connection to the daemon was closed.', vscode.l10n.t('The connection to the daemon was closed.')],
    ['The daemon is not running.', vscode.l10n.t('The daemon is not running.')],
    ['The token counter has not started yet.', vscode.l10n.t('The token counter has not started yet.')],
    [
      'The setting ctx.statusItem.template is ignored. {0}',
      vscode.l10n.t('The setting ctx.statusItem.template is ignored. {0}'),
    ],
    ['true or false', vscode.l10n.t('true or false')],
    ['one of {0}', vscode.l10n.t('one of {0}')],
    ['a string of at most {0} characters', vscode.l10n.t('a string of at most {0} characters')],
    ['a path or null', vscode.l10n.t('a path or null')],
    ['a number of tokens', vscode.l10n.t('a number of tokens')],
    ['an object of strings', vscode.l10n.t('an object of strings')],
    ['compiling the engine for this machine, once', vscode.l10n.t('compiling the engine for this machine, once')],
    ['Fetching the vocabulary {0}', vscode.l10n.t('Fetching the vocabulary {0}')],
    ['The vocabulary {0} could not be fetched: {1}.', vscode.l10n.t('The vocabulary {0} could not be fetched: {1}.')],
    [
      'The vocabulary {0} is installed; it is now used to count tokens for its models.',
      vscode.l10n.t('The vocabulary {0} is installed; it is now used to count tokens for its models.'),
    ],
    [
      'Exact counts for {0}: {1} from {2} (license {3}).',
      vscode.l10n.t('Exact counts for {0}: {1} from {2} (license {3}).'),
    ],
  ];
}
