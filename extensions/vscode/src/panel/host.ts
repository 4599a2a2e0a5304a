// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { Absence, Way } from '../absence';
import type { Offer } from '../offer';
import type { PanelAct, PanelState } from './messages';

export const panelType = 'ctx.panel';

/** The part of the window that the panel uses. */
export interface PanelHost {
  readonly extensionUri: vscode.Uri;
  reading(session: string): Reading | undefined;
  call<T>(method: string, params: object): Promise<T>;
  can(reading: Reading): PanelState['can'];
  act(act: PanelAct, reading: Reading | undefined): void;
  /** Opens the transcript at a line. */
  openPlace(reading: Reading, place: number): void;
  /** Returns a message that the numbers are outdated; empty while they are kept up to date. */
  outdated(): string;
  /** The vocabulary that the daemon offers. */
  readonly offer: Offer;
  /** Returns why there is no session to show. */
  absence(): Absence;
  go(way: Way): void;
}
