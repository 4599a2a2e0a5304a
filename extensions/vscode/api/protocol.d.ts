// Copyright The ctx-lsp authors. MIT licence.

/**
 * The parts of the protocol that other extensions use. The build copies `types.d.ts`, which is generated from the
 * protocol's schema, into this folder.
 */
import type * as protocol from './types';

export type {
  Accuracy,
  Advice,
  Basis,
  Compaction,
  Display,
  Earlier as EarlierSession,
  HistoryAnswer as History,
  ItemsAnswer as Items,
  Kind,
  Level,
  OfferParams,
  Phrase,
  Range,
  Row,
  VocabularyParams,
} from './types';

/** The activity of an agent: working, waiting for the user, inactive for a while (`idle`), or ended. */
export type Activity = 'working' | 'waiting' | 'idle' | 'ended';

/** The title of a session and the activity of its agent. */
interface SessionState {
  /** The agent's own title for the session; empty if there is none. */
  title?: string;
  /** The branch that the agent works on; empty if its records do not contain it. */
  branch?: string;
  /** Empty if unknown. */
  activity?: Activity | '';
  /** The reason for waiting; empty if the agent does not wait. */
  waitingFor?: 'approval' | 'prompt' | '';
  /** When the activity began, in milliseconds since 1970. */
  since?: number | null;
}

type Elsewhere = 'children' | keyof SessionState;

/** Everything known about how full a session's context window is. */
export interface Reading extends Omit<protocol.Reading, Elsewhere>, SessionState {
  children: Child[];
  /** The transcript that the session was read from, if there is one. */
  file?: string;
}

/** A sub-agent, with its own window. */
export interface Child extends Omit<protocol.Brief, Elsewhere>, SessionState {
  children: Child[];
}
