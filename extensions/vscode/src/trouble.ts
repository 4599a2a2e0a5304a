// Copyright The ctx-lsp authors. MIT licence.

/** The kinds of trouble. */
export type TroubleKind = 'noDaemon' | 'wrongVersion' | 'crashed' | 'silent' | 'noCore' | 'badSetting';

/** Trouble: a kind, for the two words on the status item, and a sentence in the user's language. */
export interface Trouble {
  readonly kind: TroubleKind;
  /** A message that names the problem, its place, and a remedy. */
  readonly sentence: string;
}

/** Whether there is a running backend, for the status item and the diagnostics. */
export type Health =
  | { readonly state: 'starting' }
  | {
      readonly state: 'ready';
      readonly kind: 'daemon' | 'core';
      readonly version: string;
      readonly where: string;
      readonly trouble?: Trouble;
    }
  | { readonly state: 'stopped'; readonly trouble: Trouble };
