// Copyright The ctx-lsp authors. MIT licence.

/** The events that this chat's provider streams: the shape of the Anthropic API, cut down to what is read here. */
export type StreamEvent =
  | {
      type: 'message_start';
      message: {
        usage: {
          input_tokens: number;
          cache_read_input_tokens: number;
          cache_creation_input_tokens: number;
          output_tokens: number;
        };
      };
    }
  | { type: 'content_block_delta'; delta: { text: string } }
  | { type: 'message_delta'; usage: { output_tokens: number } };

/** Stands for a provider: each answer comes in pieces, with the usage at its beginning and its end. */
export async function* stream(turn: number): AsyncGenerator<StreamEvent> {
  yield {
    type: 'message_start',
    message: {
      usage: {
        input_tokens: 1000 * turn,
        cache_read_input_tokens: 50_000,
        cache_creation_input_tokens: 0,
        output_tokens: 1,
      },
    },
  };
  for (const text of ['This ', 'is ', 'the ', 'answer.']) {
    await new Promise((r) => setTimeout(r, 5));
    yield { type: 'content_block_delta', delta: { text } };
  }
  yield { type: 'message_delta', usage: { output_tokens: 40 } };
}
