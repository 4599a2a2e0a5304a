// Copyright The ctx-lsp authors. MIT licence.

import { bounded, type Facts, json, listOf, type Message, piece, textOf } from '../loaded';

const reads = 'hNvQHb';

/**
 * Reads a response of gemini.google.com to opening a conversation, or loading more of it: frames of JSON in JSON. Each
 * has ten turns, the newest first, and a token if there are earlier ones.
 */
export function read(body: string): Facts {
  for (const line of body.split('\n').slice(0, 2000)) {
    if (!line.startsWith('[') || !line.includes(reads)) continue;
    for (const frame of listOf(json(line))) {
      const [kind, call, inner] = listOf(frame);
      if (kind !== 'wrb.fr' || call !== reads) continue;
      const facts = page(json(textOf(inner)));
      if (facts) return facts;
    }
  }
  return { conversation: null };
}

function page(value: unknown): Facts | null {
  const [turns, token] = listOf(value);
  const messages: Message[] = [];
  let conversation = '';
  for (const turn of [...listOf(turns)].reverse()) {
    const [ids, , asked, answered] = listOf(turn);
    const [c, r] = listOf(ids).map(textOf);
    conversation ||= c?.replace(/^c_/, '') ?? '';
    const question = textOf(listOf(listOf(asked)[0])[0]);
    const candidate = listOf(listOf(listOf(answered)[0])[0]);
    const answer = textOf(listOf(candidate[1])[0]);
    // Thoughts have a position of their own, which is empty in an answer without them.
    const thoughts = textOf(listOf(listOf(candidate[37])[0])[0]);
    const id = r?.replace(/^r_/, '') ?? '';
    if (question) messages.push(message(id, 'user', question, ''));
    if (answer) messages.push(message(id, 'assistant', answer, thoughts));
  }
  const loaded = bounded({ conversation, messages, leaf: null, whole: !token });
  return loaded ? { conversation: conversation || null, loaded } : null;
}

function message(id: string, side: Message['side'], text: string, thoughts: string): Message {
  const items = [...(thoughts ? [piece('reasoning', thoughts)] : []), piece(side, text)];
  return { id, parent: null, side, shown: text, items, files: 0, pictures: 0 };
}
