/**
 * The types of the protocol that this extension uses. They mirror docs/protocol.md.
 */

/** A count of tokens: an integer. */
export type Tokens = number;
export type Basis = 'measured' | 'counted' | 'derived' | 'estimated' | 'unknown' | 'measured+counted' | 'measured+estimated';
export type Level = 'ok' | 'soon' | 'now' | 'over';

export interface Range3 {
  low: number;
  likely: number;
  high: number;
}

export interface Row {
  kind: string;
  label: string;
  tokens: Tokens;
  basis: Basis;
  deferred?: boolean;
  ephemeral?: boolean;
}

export interface Compaction {
  rule: string;
  since?: string;
  source?: string;
  line: Tokens | null;
  left: Tokens | null;
  percent: number | null;
  level: Level;
  advised?: boolean;
  buffer?: Tokens | null;
  landing?: { low: Tokens; high: Tokens } | null;
  callsLeft?: Range3 | null;
  turnsLeft?: Range3 | null;
}

export interface Advice {
  action: string;
  label: string;
  tokens: Tokens;
  items?: number;
  how?: string;
  breaksCache?: boolean;
}

export interface Accuracy {
  last: { predicted: Tokens; actual: Tokens; error: Tokens; percent: number; cause: string } | null;
  ratio?: number;
  medianTokens: Tokens | null;
  p95Tokens: Tokens | null;
  p95Percent: number | null;
  steps: number;
}

export interface Child {
  session: string;
  label?: string;
  agent: string;
  model: string;
  used: Tokens;
  limit: Tokens | null;
  percent: number | null;
  level: Level;
  basis: Basis;
  pending?: boolean;
  children?: Child[];
  display?: Partial<Display>;
}

/** Ready-made short strings: a face prints them and rounds nothing itself. */
export interface Display {
  percent: string;
  used: string;
  limit: string;
  free: string;
  left: string;
  mark: '' | '~' | '?';
  percentLeft?: string;
  line?: string;
  linePercent?: string;
  linePercentLeft?: string;
  bar?: string;
}

export interface Reading {
  schema: 'ctx.reading/1';
  session: string;
  agent: string;
  model: string;
  workspace: string;
  label?: string;
  /** The transcript the session is read from, where there is one. */
  file?: string;
  parent?: string;
  mode: 'hybrid' | 'provider';
  basis: Basis;
  pending: boolean;
  used: Tokens;
  low: Tokens;
  high: Tokens;
  limit: Tokens | null;
  free: Tokens | null;
  reserve: Tokens;
  percent: number | null;
  limitSource: string;
  lastRequest: {
    in: Tokens;
    percent: number | null;
    cacheRead: Tokens | null;
    cacheWrite: Tokens | null;
    out: Tokens | null;
    reasoning: Tokens | null;
    carry: Tokens;
    carryBasis: Basis;
  } | null;
  leaving: { tokens: Tokens; reasons: { reason: string; tokens: Tokens }[] };
  new: { tokens: Tokens; items: number; basis: Basis };
  breakdown: Row[];
  compaction: Compaction;
  advice: Advice[];
  accuracy: Accuracy;
  spent: { calls: number; in: Tokens; out: Tokens; cacheRead: Tokens; cacheWrite: Tokens; reasoning: Tokens };
  compactions: number;
  children: Child[];
  warnings: string[];
  asOf: number | null;
  agentPercent: { value: number; label: string } | null;
  display: Display;
}

export interface History {
  points: { at: number | null; call: number; used: Tokens; limit: Tokens | null; basis: Basis }[];
  compactions: { at: number | null; call: number; before: Tokens; after: Tokens; trigger: string }[];
  line: Tokens | null;
  limit: Tokens | null;
}

export interface Items {
  items: { index: number; kind: string; label: string; tokens: Tokens; basis: Basis; share: number }[];
  total: number;
}

/** The object that `ctx/reading` and `ctx/level` carry. */
export interface LevelChange {
  session: string;
  level: Level;
  before: Level;
  reading: Reading;
}
