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

/** What an agent does: it works, it waits for the person, it has been left for a while (`idle`), or it has ended. */
export type Activity = 'working' | 'waiting' | 'idle' | 'ended';

/** The title of a session and what its agent does. */
interface Standing {
  /** The agent's own name for the session; empty without one. */
  title?: string;
  /** The branch that the agent works on; empty where its records do not name it. */
  branch?: string;
  /** Empty where it is not known. */
  activity?: Activity | '';
  /** What the agent waits for, while it waits. */
  waitingFor?: 'approval' | 'prompt' | '';
  /** When the activity began, in milliseconds since 1970. */
  since?: number | null;
}

type Elsewhere = 'children' | keyof Standing;

/** Everything that is known of how full a session's context window is. */
export interface Reading extends Omit<protocol.Reading, Elsewhere>, Standing {
  children: Child[];
  /** The transcript that the session was read from, where there is one. */
  file?: string;
}

/** A sub-agent, with a window of its own. */
export interface Child extends Omit<protocol.Brief, Elsewhere>, Standing {
  children: Child[];
}
