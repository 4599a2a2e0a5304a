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
