// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { History, Items, Phrase, Reading } from '../api/protocol';
import type { Text } from '../api/types';

/** The backend's phrases by id, each a function that returns its text; empty until they are loaded. */
let phrases: Record<string, (...args: string[]) => string> = {};

/** Loads the phrases if the editor's language is not the backend's. Backends are started after that. */
export async function learnPhrases(): Promise<void> {
  if (vscode.l10n.bundle !== undefined) {
    ({ phrases } = await import('./phrases.gen'));
  }
}

/** Reports whether the backend should send ids of phrases, because the editor has another language. */
export const asPhrases = (): boolean => vscode.l10n.bundle !== undefined;

/** The fields of LSP's objects that the phrase next to them belongs to. */
const translatedFields = ['title', 'tooltip', 'message', 'text'] as const;

/** Translates the texts in a reply about prompt files that have a phrase next to them. */
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

/** Returns the user's translation of a text from the backend; the English text itself if it has no known phrase. */
export function inWords(phrase: Phrase | null | undefined, text: string): string {
  const translate = phrase && phrases[phrase.id];
  return translate ? translate(...(phrase.args ?? []).map(argument)) : text;
}

/** Returns the value of a placeholder; numbers are grouped as in the user's language. */
function argument(value: string | number | Phrase): string {
  if (typeof value === 'number') {
    return new Intl.NumberFormat(vscode.env.language).format(value);
  }
  return typeof value === 'string' ? value : inWords(value, value.id);
}

/** Returns a text of the backend in the user's language; empty without one. */
export function words(text: Text | undefined): string {
  return text ? inWords(text.id ? { id: text.id, args: text.args ?? [] } : undefined, text.text) : '';
}

/** Returns a Reading with names of parts, suggestions and messages in the user's language. */
export function translated(reading: Reading): Reading {
  if (vscode.l10n.bundle === undefined) {
    return reading;
  }
  const { breakdown, largest, advice, warnings, compaction } = reading;
  return {
    ...reading,
    breakdown: breakdown.map(labelled),
    largest: largest.map(labelled),
    advice: advice.map((a) => ({ ...labelled(a), ...(a.how && { how: named(a.how) }) })),
    warnings: warnings.map(named),
    compaction: { ...compaction, hint: named(compaction.hint) },
  };
}

/** Returns a text with its words in the user's language. */
const named = (text: Text): Text => ({ ...text, text: words(text) });

/** Returns the history, with the breaks of the prompt cache in the user's language. */
export function translatedHistory(history: History): History {
  return { ...history, breaks: history.breaks.map((b) => ({ ...b, text: { text: words(b.text) } })) };
}

/** Returns the largest items, with the generic names in the user's language. */
export function translatedItems(items: Items): Items {
  return vscode.l10n.bundle === undefined ? items : { ...items, items: items.items.map(labelled) };
}

/** Translates a label. */
function labelled<T extends { label: Text }>(of: T): T {
  return { ...of, label: named(of.label) };
}
