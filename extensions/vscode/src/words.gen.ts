// Copyright The ctx-lsp authors. MIT licence.

// Code generated from internal/phrase/list.go by `make generated`. DO NOT EDIT.

import * as vscode from 'vscode';
import type { LimitSource, WaitingFor } from '../api/types';

/** Where a window's size comes from, in the language of the editor. */
export const limitPhrases: Record<LimitSource, () => string> = {
  setting: () => vscode.l10n.t('set in the agent'),
  user: () => vscode.l10n.t('set by you'),
  agentNow: () => vscode.l10n.t('reported by the agent'),
  error: () => vscode.l10n.t('from an overflow error'),
  accepted: () => vscode.l10n.t('larger prompts were accepted'),
  agent: () => vscode.l10n.t('recorded by the agent'),
  provider: () => vscode.l10n.t('reported by the provider'),
  learned: () => vscode.l10n.t('earlier sessions'),
  agentTable: () => vscode.l10n.t('the agent’s own table'),
  registry: () => vscode.l10n.t('table of models'),
  unknown: () => vscode.l10n.t('unknown'),
};

/** The words for what an agent waits for, in the language of the editor. */
export const waitingPhrases: Record<WaitingFor, () => string> = {
  approval: () => vscode.l10n.t('waiting for approval'),
  prompt: () => vscode.l10n.t('waiting for you'),
};
