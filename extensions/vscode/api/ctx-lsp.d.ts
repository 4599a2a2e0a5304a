// Copyright The ctx-lsp authors. MIT licence.

/**
 * The API of the extension `ctx-lsp.ctx-lsp`, version 1.
 *
 * An extension that calls a model itself reports its conversation here, and gets how full the context window is. The
 * number comes from the same formula as the agents' numbers in the status item.
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<CtxApi>('ctx-lsp.ctx-lsp');
 * const api = await extension?.activate();
 * const session = await api?.open({ model: 'gpt-5.5', label: 'My chat' });
 * await session?.append({ kind: 'user', text: prompt });
 * // … stream the answer, then pass on the provider's usage object unchanged:
 * const reading = await session?.usage(response.usage, { provider: 'openai' });
 * if (reading?.compaction.advised) { … }
 * ```
 *
 * # Compatibility
 *
 * Within version 1, members are added but never changed or removed. Check {@link CtxApi.version} before you rely on a
 * member of a later version. Text is counted and dropped: it is neither stored nor sent anywhere.
 */
import type { Disposable, Event } from 'vscode';
import type { History, Items, Reading } from './protocol';

export type * from './protocol';

export interface CtxApi {
  /** The version of this API. */
  readonly version: 1;

  /**
   * Opens a conversation. It appears in the status item and in the list of sessions like that of any agent. Rejects
   * with a {@link CtxError} if an option is invalid.
   */
  open(options?: OpenOptions): Promise<CtxSession>;

  /**
   * The sessions that this window follows: those of agents on this machine and of extensions, including sub-agents. A
   * value never changes; a changed session is a new value.
   */
  readonly sessions: readonly Reading[];

  /** The session that the status item shows; undefined if there is none. */
  readonly front: Reading | undefined;

  /** Fires when a session was added, changed or removed, at most twenty times a second. */
  readonly onDidChangeSessions: Event<readonly Reading[]>;

  /** Fires when another session gets the focus, or the focused one has changed. */
  readonly onDidChangeFront: Event<Reading | undefined>;

  /** Counts text for a model, or with an encoding, without a conversation. */
  count(text: string | readonly string[], options?: { model?: string; encoding?: string }): Promise<Count>;
}

export interface OpenOptions {
  /** The model's id as the provider calls it. It decides the window, the encoding and how reasoning re-enters. */
  model?: string;
  /** The provider of the model: `anthropic`, `openai`, `gemini`, … */
  provider?: string;
  /** The API of the provider, if it makes a difference: `chat`, `responses`, … */
  route?: string;
  /** The name in the list of sessions. */
  label?: string;
  /** The id of an agent whose compaction rule applies; `generic` if absent. */
  agent?: string;
  agentVersion?: string;
  /** The folder of the conversation; the first workspace folder if absent. */
  workspace?: string;
  /** Limits that override the built-in tables. */
  limits?: { window?: number; input?: number; output?: number };
  /** Tokens to reserve for the response. */
  reserve?: number;
  /**
   * When the conversation is compacted: at a percentage of the window, when only a reserve is left, at a threshold in
   * tokens, never (`none`), or by the rule of the named agent.
   */
  rule?:
    | { percent: number; target?: number }
    | { reserve: number; target?: number }
    | { threshold: number; target?: number }
    | 'none'
    | string;
  /** Whether the model's reasoning is sent again. */
  reasoning?: 'never' | 'turn' | 'always';
  /** `provider`: show only the measurements of the provider. */
  mode?: 'hybrid' | 'provider';
  /** The id of the parent session, for a sub-agent. */
  parent?: string;
}

/** An item of the next request. Set its text, or its tokens if you have counted them. */
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
  /** Whether the item is part of the response that the next usage will measure. */
  reply?: boolean;
}

/** A part of the request before the conversation, as text or tokens. */
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
  /** The text that the user is typing, counted as if it were sent. `null` clears it. */
  draft?: string | number | Item | null;
}

/**
 * One conversation. Calls are applied in the order in which they were made. If the daemon restarts, the extension
 * restores the conversation there, so nothing has to be reported twice.
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
  /** Reports a provider's unchanged usage object. Pieces of a stream are reported with `final: false`. */
  usage(
    usage: unknown,
    options?: { provider?: string; request?: string; through?: number; final?: boolean },
  ): Promise<Reading>;
  /** Reports a provider's unchanged error. An overflow shows the limit. */
  error(error: unknown, options?: { provider?: string; status?: number }): Promise<Reading>;
  /** Reports that the conversation was compacted, and what remains of it. */
  compacted(options?: {
    trigger?: 'auto' | 'manual';
    summary?: Part;
    kept?: number;
    tokens?: number;
  }): Promise<Reading>;
  /** Returns the history of the conversation. */
  history(points?: number): Promise<History>;
  /** Returns the largest items. */
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

/** The error of every method: a message for users, and a kind for programs. The call has changed nothing. */
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
