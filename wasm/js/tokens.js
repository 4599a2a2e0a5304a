// Copyright The ctx-lsp authors. MIT licence.

// Counting for users of tokenizers: the results of ctx/count, in the shapes that they know.

/** Returns the params of ctx/count, from a text alone or with its options. */
export const countParams = (text, options) =>
  typeof text === 'string' ? { ...options, text } : { ...text, ...options };

/**
 * Returns a result of ctx/count, with a note that explains an estimate if neither a model nor an encoding was named.
 */
export function explained(answer, params) {
  if (answer.note || params.model || params.encoding || params.exact || answer.basis !== 'estimated') return answer;
  return { ...answer, note: 'neither a model nor an encoding is named: this is an estimate from the text alone' };
}

/** Adds the encoding of OpenAI's models if neither a model nor an encoding is named, like gpt-tokenizer. */
export const named = (options) =>
  options?.encoding || options?.model ? options : { ...options, encoding: 'o200k_base' };

/** Returns the tokens of a text as the bytes of each; a token may end inside a character. */
export function pieces(text, boundaries) {
  const bytes = new TextEncoder().encode(text);
  return boundaries.map((end, i) => bytes.subarray(boundaries[i - 1] ?? 0, end));
}
