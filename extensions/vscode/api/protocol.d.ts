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
  OfferParams,
  Range,
  Row,
  VocabularyParams,
} from './types';

/** What an agent does: it works, it waits for the person, nobody has carried on for a while, or it has gone. */
export type Activity = 'working' | 'waiting' | 'idle' | 'ended';

/** What a session is called and where it stands. Calculators before that told none of it. */
interface Standing {
  /** The agent's own name for the session; empty without one. */
  title?: string;
  /** The branch that the agent works on; empty where its records do not tell. */
  branch?: string;
  /** Empty where nothing tells. */
  activity?: Activity | '';
  /** While waiting: what for. */
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
