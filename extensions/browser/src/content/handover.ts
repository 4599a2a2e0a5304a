// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../messages';
import type { Say } from './say';

/** The maximum length of each part of the prompt, in characters. Together they are about 6,000 tokens. */
const longest = { first: 3000, question: 400, questions: 6000, answer: 7000, before: 2500 };

/**
 * Returns a prompt that continues the conversation in a new chat: what it was about, the questions, the names of its
 * files, and its last answers. It is built in the page from the counted items when the user asks for it, and is not
 * stored.
 */
export function handover(items: readonly PageItem[], site: string, say: Say): string {
  const asked = items.filter((i) => i.kind === 'user' && !i.file && i.text.trim() !== '');
  const answers = items.filter((i) => i.kind === 'assistant' && i.text.trim() !== '');
  const files = [...new Set(items.flatMap((i) => (i.file ? [i.file] : [])))];
  const first = asked[0];
  const last = asked.length > 1 ? asked[asked.length - 1] : undefined;
  const [before, answer] = answers.length > 1 ? answers.slice(-2) : [undefined, answers[0]];
  const part = (title: string, text: string | undefined): string[] => (text ? [`## ${say(title)}\n\n${text}`] : []);
  return [
    say('handoverIntro', site),
    ...part('handoverBegan', first && cut(first.text, longest.first)),
    ...part('handoverAsked', listed(asked.slice(1, -1).map((i) => i.text))),
    ...part('handoverFiles', files.map((f) => `- ${f}`).join('\n')),
    ...part('handoverBefore', before && cut(before.text, longest.before)),
    ...part('handoverLast', last && cut(last.text, longest.first)),
    ...part('handoverAnswer', answer && cut(answer.text, longest.answer)),
    say('handoverEnd'),
  ].join('\n\n');
}

/** Returns the questions as a list, in their order. If there are too many, the oldest ones are left out. */
function listed(texts: string[]): string {
  const out: string[] = [];
  let room = longest.questions;
  for (const text of texts.reverse()) {
    const line = `- ${cut(text, longest.question).replace(/\s+/g, ' ')}`;
    if (line.length > room) {
      out.unshift('- …');
      break;
    }
    out.unshift(line);
    room -= line.length;
  }
  return out.join('\n');
}

/** Returns a text, or only its beginning and its end if it is too long. It never splits a character. */
function cut(text: string, most: number): string {
  const signs = [...text.trim().slice(0, 4_000_000)];
  if (signs.length <= most) return signs.join('');
  const half = Math.floor(most / 2);
  return `${signs.slice(0, half).join('')}\n[…]\n${signs.slice(-half).join('')}`;
}
