// Copyright The ctx-lsp authors. MIT licence.

import type { ModelData } from './data';

// Converts names of models, as the sites print them, to ids of the registry.

/** A name in the spelling of a site: an id on an answer, or a label. */
export function modelNamed(names: ModelData['names'], name: string, id: boolean): string | null {
  if (names === 'openai') return id ? fromSlug(name) : fromChatGPTLabel(name);
  if (names === 'anthropic') return fromClaudeLabel(name);
  if (names === 'google') return fromGeminiLabel(name);
  return names === 'id' && /^[\w.:/-]{2,100}$/.test(name.trim()) ? name.trim().toLowerCase() : null;
}

/** "gpt-5-5-thinking" is gpt-5.5, "gpt-4o" and "o3" are themselves. */
export function fromSlug(slug: string): string | null {
  const id = slug
    .replace(/-(?:thinking(?:-mini)?|instant|auto|t-mini)$/, '')
    .replace(/^gpt-(\d+)-(\d+)(?!\d)/, 'gpt-$1.$2');
  return /^(gpt-|o\d)/.test(id) ? id : null;
}

/** "ChatGPT 5.5 Thinking" is gpt-5.5, "ChatGPT 4o" gpt-4o, "ChatGPT o3" o3; "ChatGPT" alone says nothing. */
export function fromChatGPTLabel(label: string): string | null {
  const m = /\b(?:(\d+(?:\.\d+)?o?)|(o\d))(?![\w.])/.exec(label);
  return m ? (m[1] ? `gpt-${m[1]}` : m[2]!) : null;
}

/** "Claude Opus 4.5" is claude-opus-4-5, "Sonnet 5" is claude-sonnet-5. */
export function fromClaudeLabel(label: string): string | null {
  const m = /\b(opus|sonnet|haiku|fable)\s+(\d+)(?:[.-](\d+))?/i.exec(label);
  return m ? `claude-${m[1]!.toLowerCase()}-${m[2]}${m[3] ? `-${m[3]}` : ''}` : null;
}

/** "2.5 Flash-Lite" is gemini-2.5-flash-lite, "3 Pro" gemini-3-pro. */
export function fromGeminiLabel(label: string): string | null {
  const m = /(\d+(?:\.\d+)?)\s*(pro|flash(?:[- ]lite)?)/i.exec(label);
  return m ? `gemini-${m[1]}-${m[2]!.toLowerCase().replace(' ', '-')}` : null;
}
