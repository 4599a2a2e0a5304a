// Copyright The ctx-lsp authors. MIT licence.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Shorter answers are a line without a mark, of which nothing can be lost. */
const shortest = 200;

/**
 * Different answers of agents in recorded sessions, as Markdown: as many as are asked for, of every length and agent
 * alike. Sessions of every agent say somewhere that a message is the assistant's, and have its text beside that.
 */
export async function realAnswers(folder, wanted) {
  const found = new Set();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((e) => e.isFile() && /^(?!MANIFEST).*\.jsonl?$/.test(e.name));
  for (const path of files.map((e) => join(e.parentPath, e.name)).sort()) {
    const text = await readFile(path, 'utf8');
    for (const json of path.endsWith('.jsonl') ? text.split('\n') : [text]) if (json !== '') search(parse(json), found);
  }
  const sorted = [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const step = sorted.length / wanted;
  return step < 1 ? sorted : Array.from({ length: wanted }, (_, i) => sorted[Math.floor((i + 0.5) * step)]);
}

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function search(value, found) {
  if (typeof value !== 'object' || value === null) return;
  if (value.role === 'assistant' || value.type === 'gemini') take(value.content, found);
  if (value.info?.role === 'assistant') take(value.parts, found);
  for (const inner of Object.values(value)) search(inner, found);
}

function take(content, found) {
  const texts = typeof content === 'string' ? [content] : Array.isArray(content) ? content.map(textOf) : [];
  for (const text of texts.map((t) => t?.trim() ?? '')) if (text.length >= shortest) found.add(text);
}

const textOf = (part) => (part?.type === 'text' || part?.type === 'output_text' ? String(part.text) : '');
