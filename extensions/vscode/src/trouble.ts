// Copyright The ctx-lsp authors. MIT licence.

/** What can be wrong. */
export type TroubleKind = 'noDaemon' | 'wrongVersion' | 'crashed' | 'silent' | 'noCore' | 'badSetting';

/** What is wrong: a kind, for the two words on the status item, and a sentence in the user's language. */
export interface Trouble {
  readonly kind: TroubleKind;
  /** Says what was wrong, where, and what to do. */
  readonly sentence: string;
}

/** Whether numbers come, as the status item and the diagnostics show it. */
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
