// Copyright The ctx-lsp authors. MIT licence.

/**
 * The parts of the protocol that extensions meet. `types.d.ts` beside this file is generated from the calculator's own
 * types; the build copies it here.
 */
import type * as protocol from './types';

export type {
  Accuracy,
  Advice,
  Basis,
  Compaction,
  Display,
  HistoryAnswer as History,
  ItemsAnswer as Items,
  Level,
  Range,
  Row,
} from './types';

/** Everything that is known of how full a session's context window is. */
export interface Reading extends Omit<protocol.Reading, 'children'> {
  children: Child[];
  /** The transcript that the session was read from, where there is one. */
  file?: string;
}

/** A sub-agent, with a window of its own. */
export interface Child extends Omit<protocol.Brief, 'children'> {
  children: Child[];
}
