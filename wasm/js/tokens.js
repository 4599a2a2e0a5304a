// Copyright The ctx-lsp authors. MIT licence.

// Counting for users of tokenizers: the same answers as ctx/count, in the shapes that they know.

/** What ctx/count takes, from a text alone or with its options. */
export const countParams = (text, options) =>
  typeof text === 'string' ? { ...options, text } : { ...text, ...options };

/** An answer of ctx/count that says why it is an estimate, where nothing was named that could be counted with. */
export function explained(answer, params) {
  if (answer.note || params.model || params.encoding || params.exact || answer.basis !== 'estimated') return answer;
  return { ...answer, note: 'neither a model nor an encoding is named: this is an estimate from the text alone' };
}

/** Who names nothing gets the encoding of OpenAI's models, as in gpt-tokenizer. */
export const named = (options) =>
  options?.encoding || options?.model ? options : { ...options, encoding: 'o200k_base' };

/** The tokens of a text as the bytes of each; a token may end inside a character. */
export function pieces(text, boundaries) {
  const bytes = new TextEncoder().encode(text);
  return boundaries.map((end, i) => bytes.subarray(boundaries[i - 1] ?? 0, end));
}
