// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { agentName } from './agents';
import type { Config } from './config';
import type { Level, Reading } from '../api/protocol';

/** What a person can do from a notification. */
export interface NotificationActions {
  showPanel(session: string): void;
  copySummary(reading: Reading): void;
  openTranscript(reading: Reading): void;
  runCompaction(reading: Reading): void;
  canRunCompaction(reading: Reading): boolean;
}

/** Tells that a session has reached a level, and offers what can be done about it. Does nothing by itself. */
export async function notify(
  reading: Reading,
  level: Level,
  config: Config,
  actions: NotificationActions,
): Promise<void> {
  if (level === 'ok' || !config.notifications[level]) {
    return;
  }
  const panel = vscode.l10n.t('Show What Fills It');
  const copy = vscode.l10n.t('Copy Summary');
  const transcript = vscode.l10n.t('Open Transcript');
  const compact = vscode.l10n.t('Compact in Terminal');
  const choices = [panel];
  if (actions.canRunCompaction(reading)) {
    choices.push(compact);
  }
  choices.push(copy);
  if (reading.file) {
    choices.push(transcript);
  }
  const text = sentence(reading, level);
  const choice = await (level === 'soon'
    ? vscode.window.showInformationMessage(text, ...choices)
    : vscode.window.showWarningMessage(text, ...choices));
  switch (choice) {
    case panel:
      return actions.showPanel(reading.session);
    case compact:
      return actions.runCompaction(reading);
    case copy:
      return actions.copySummary(reading);
    case transcript:
      return actions.openTranscript(reading);
    default:
      return undefined;
  }
}

function sentence(reading: Reading, level: 'soon' | 'now' | 'over'): string {
  const who = agentName(reading.agent) || vscode.l10n.t('A session');
  const d = reading.display;
  const used = `${d.mark}${reading.percent === null ? d.used : d.percent}`;
  switch (level) {
    case 'soon':
      return vscode.l10n.t(
        '{0} has used {1} of its context window; {2} tokens are left before it compacts.',
        who,
        used,
        d.left,
      );
    case 'now':
      return vscode.l10n.t('{0} has used {1} of its context window; the next request may be compacted.', who, used);
    case 'over':
      return vscode.l10n.t('{0} has used {1} of its context window: beyond the line of compaction.', who, used);
  }
}
