// Copyright The ctx-lsp authors. MIT licence.

import type { PageItem } from '../../messages';
import { bounded, branch, type Facts, fields, json, listOf, type Message, picture, piece, textOf } from '../loaded';

/**
 * Reads a response of Open WebUI for a conversation that is opened or saved: all messages with their branches, and each
 * answer's usage as its model reported it. The answers themselves come over a socket.
 */
export function read(body: string): Facts {
  const answer = fields(json(body));
  const id = textOf(answer.id);
  const history = fields(fields(answer.chat).history);
  const loadedMessages: Message[] = [];
  const messages = new Map<string, Record<string, unknown>>();
  for (const [key, value] of Object.entries(fields(history.messages))) {
    const m = fields(value);
    messages.set(key, m);
    loadedMessages.push(message(key, m));
  }
  const loaded = bounded({
    conversation: id,
    messages: loadedMessages,
    leaf: textOf(history.currentId) || null,
    whole: true,
  });
  if (!id || !loaded?.leaf) return { conversation: id || null };
  const last = branch(loaded, loaded.leaf).at(-1);
  const m = messages.get(last?.id ?? '') ?? {};
  const usage = last?.side === 'assistant' ? usageOf(fields(m.usage ?? m.info)) : null;
  const model = textOf(m.model) || textOf(listOf(fields(answer.chat).models)[0]);
  return {
    conversation: id,
    loaded,
    ...(usage && last && { usage: [{ provider: 'ctx', usage }], measuredWith: last.shown }),
    ...(model && { model }),
  };
}

function message(id: string, m: Record<string, unknown>): Message {
  const side = m.role === 'user' ? 'user' : 'assistant';
  const items: PageItem[] = [];
  // Reasoning and calls are folded into the text.
  const shown = textOf(m.content)
    .replace(/<details\b([^>]*)>([\s\S]*?)<\/details>/g, (_, attributes: string, inner: string) => {
      const kind = /type="reasoning"/.test(attributes) ? 'reasoning' : 'toolResults';
      items.push(piece(kind, inner.replace(/<summary>[\s\S]*?<\/summary>/, '').trim() || attributes));
      return '';
    })
    .trim();
  const out: Message = { id, parent: textOf(m.parentId) || null, side, shown, items, files: 0, pictures: 0 };
  for (const f of listOf(m.files).map(fields)) {
    const content = textOf(fields(fields(f.file).data).content) || textOf(f.content);
    if (f.type === 'image') items.push(picture(f.width, f.height));
    // Only those parts of a file that its search finds are sent, so at most a part of its text.
    else if (content && f.context === 'full') items.push(piece('user', content, textOf(f.name)));
    else out.files++;
  }
  items.push(piece(side, shown));
  return out;
}

/**
 * Returns the total of the last request, as the model's server counted it, from OpenAI's or Ollama's names; null if
 * there is none.
 */
function usageOf(u: Record<string, unknown>): { in: number; out: number } | null {
  const first = (...names: string[]): number | undefined =>
    names.map((n) => u[n]).find((n): n is number => Number.isInteger(n) && (n as number) > 0);
  const read = first('prompt_tokens', 'input_tokens', 'prompt_eval_count');
  if (read === undefined) return null;
  return { in: read, out: first('completion_tokens', 'output_tokens', 'eval_count') ?? 0 };
}
