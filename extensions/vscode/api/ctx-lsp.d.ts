// Copyright The ctx-lsp authors. MIT licence.

/**
 * The API of the extension `ctx-lsp.ctx-lsp`, version 1.
 *
 * An extension that talks to a model itself reports its conversation here, and learns how full the context window is.
 * The number comes from the same formula as the one that people see for their agents in the status item.
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<CtxApi>('ctx-lsp.ctx-lsp');
 * const api = await extension?.activate();
 * const session = await api?.open({ model: 'gpt-5.5', label: 'My chat' });
 * await session?.append({ kind: 'user', text: prompt });
 * // … stream the answer, then pass on the provider's usage object as it came:
 * const reading = await session?.usage(response.usage, { provider: 'openai' });
 * if (reading?.compaction.advised) { … }
 * ```
 *
 * # Compatibility
 *
 * Within version 1, members are added but never changed or removed. Check {@link CtxApi.version} before you rely on a
 * member of a later version. Text is counted and forgotten: it is neither stored nor sent anywhere.
 */
import type { Disposable, Event } from 'vscode';
import type { History, Items, Reading } from './protocol';

export type * from './protocol';

export interface CtxApi {
  /** The version of this API. */
  readonly version: 1;

  /**
   * Begins a conversation. It appears in the status item and in the list of sessions like that of any agent.
   * Rejects with a {@link CtxError} when an option is wrong.
   */
  open(options?: OpenOptions): Promise<CtxSession>;

  /**
   * The sessions that this window follows: those of agents on this machine and those of extensions, sub-agents among
   * them. A value is never changed; a session that changes is another value.
   */
  readonly sessions: readonly Reading[];

  /** The session that the status item shows; undefined while there is none. */
  readonly front: Reading | undefined;

  /** Fires when a session has come, changed or gone, at most twenty times a second. */
  readonly onDidChangeSessions: Event<readonly Reading[]>;

  /** Fires when another session is in front, or the one in front has changed. */
  readonly onDidChangeFront: Event<Reading | undefined>;

  /** Counts text for a model, or with an encoding, without a conversation. */
  count(text: string | readonly string[], options?: { model?: string; encoding?: string }): Promise<Count>;
}

export interface OpenOptions {
  /** The model's id as the provider calls it. It decides the window, the encoding and how reasoning re-enters. */
  model?: string;
  /** Where the model is served: `anthropic`, `openai`, `gemini`, … */
  provider?: string;
  /** Which API of the provider, where that matters: `chat`, `responses`, … */
  route?: string;
  /** What people read in the list of sessions. */
  label?: string;
  /** The id of an agent whose compaction rule applies; `generic` when absent. */
  agent?: string;
  agentVersion?: string;
  /** The folder the conversation is about; the first workspace folder when absent. */
  workspace?: string;
  /** Limits that you know better than the tables. */
  limits?: { window?: number; input?: number; output?: number };
  /** Tokens to keep free for the answer. */
  reserve?: number;
  /**
   * When you compact: at a percentage of the window, when only a reserve is left, at a line in tokens, never (`none`),
   * or by the rule of an agent that is named.
   */
  rule?:
    | { percent: number; target?: number }
    | { reserve: number; target?: number }
    | { line: number; target?: number }
    | 'none'
    | string;
  /** Whether the model's reasoning is sent again. */
  reasoning?: 'never' | 'turn' | 'always';
  /** `provider`: show what the provider measured and nothing else. */
  mode?: 'hybrid' | 'provider';
  /** The id of the session whose sub-agent this is. */
  parent?: string;
}

/** One thing that the next request will contain. Give its text, or its tokens if you have counted them. */
export interface Item {
  kind: 'user' | 'assistant' | 'toolCalls' | 'toolResults' | 'reasoning' | 'media' | 'summary' | 'documents';
  text?: string;
  tokens?: number;
  /** Shown in the list of the largest items. */
  label?: string;
  /** The name of the tool, for a call or a result. */
  name?: string;
  mediaType?: string;
  width?: number;
  height?: number;
  pages?: number;
  seconds?: number;
  error?: boolean;
  /** Whether the item is part of the answer that the next usage will measure. */
  reply?: boolean;
}

/** A part of the request that stands before the conversation: text, tokens, or several of them. `null` clears it. */
export type Part = string | number | { text?: string; tokens?: number; label?: string; deferred?: boolean };

export interface Update {
  model?: string;
  limits?: { window?: number; input?: number; output?: number };
  rule?: OpenOptions['rule'];
  system?: Part | Part[] | null;
  tools?: Part | Part[] | null;
  mcpTools?: Part | Part[] | null;
  skills?: Part | Part[] | null;
  agents?: Part | Part[] | null;
  memory?: Part | Part[] | null;
  documents?: Part | Part[] | null;
  append?: readonly Item[];
  replace?: readonly { index: number; item: Item }[];
  removeFrom?: number;
  turn?: 'start' | 'end';
  /** What the person is typing: counted as if it were sent. `null` clears it. */
  draft?: string | number | Item | null;
}

/**
 * One conversation. Calls are applied in the order in which they were made. When the daemon is started again, the
 * extension restores the conversation there, so you need not report anything twice.
 */
export interface CtxSession extends Disposable {
  readonly id: string;
  /** The latest Reading. */
  readonly reading: Reading;
  /** Fires after every change of the Reading. */
  readonly onReading: Event<Reading>;
  /** Adds items to the conversation. */
  append(...items: Item[]): Promise<Reading>;
  /** Reports any other change. */
  update(change: Update): Promise<Reading>;
  /** Reports a provider's usage object as it came. Pieces of a stream are reported with `final: false`. */
  usage(
    usage: unknown,
    options?: { provider?: string; request?: string; through?: number; final?: boolean },
  ): Promise<Reading>;
  /** Reports a provider's error as it came. An overflow tells what the limit is. */
  error(error: unknown, options?: { provider?: string; status?: number }): Promise<Reading>;
  /** Reports that the conversation was compacted, and what is left of it. */
  compacted(options?: {
    trigger?: 'auto' | 'manual';
    summary?: Part;
    kept?: number;
    tokens?: number;
  }): Promise<Reading>;
  /** The curve of the conversation. */
  history(points?: number): Promise<History>;
  /** The largest items. */
  items(top?: number): Promise<Items>;
  /** Shows this session in the status item until the focus moves elsewhere. Call it when your view gets the focus. */
  show(): void;
  /** Ends the conversation. */
  dispose(): void;
}

export interface Count {
  tokens: number;
  basis: string;
  encoding: string;
  /** The tokens of each text, if several texts were given. */
  texts?: number[];
}

/** What every method rejects with: a sentence for people, and a kind for programs. The call has changed nothing. */
export interface CtxError extends Error {
  readonly kind:
    | 'invalid_params'
    | 'unknown_session'
    | 'session_exists'
    | 'limit_exceeded'
    | 'internal'
    | 'stopped'
    | 'silent'
    | string;
  readonly code: number;
  readonly data: unknown;
}
