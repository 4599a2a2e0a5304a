// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';

/** Returns all words of the page that the panel does not contain. */
export function panelWords(): Record<string, string> {
  return {
    title: vscode.l10n.t('Context window'),
    threshold: vscode.l10n.t('Compaction'),
    limit: vscode.l10n.t('Window'),
    exactCounts: vscode.l10n.t('Exact counts'),
    fetch: vscode.l10n.t('Fetch'),
    noFetch: vscode.l10n.t('No'),
    curve: vscode.l10n.t('History of the session'),
    curveHelp: vscode.l10n.t('Use the arrow keys to move along the chart.'),
    request: vscode.l10n.t('request {0}'),
    automatic: vscode.l10n.t('automatic'),
    manual: vscode.l10n.t('by you'),
    curveEmpty: vscode.l10n.t('The chart starts with the first request.'),
    call: vscode.l10n.t('Request {0}'),
    compacted: vscode.l10n.t('Compacted: {0} to {1}'),
    cacheBreak: vscode.l10n.t('Break of the prompt cache'),
    openPlace: vscode.l10n.t('Line {0} of the transcript'),
    handOver: vscode.l10n.t('Hand Over…'),
    handover: vscode.l10n.t('Copy Facts for a Handover'),
    copy: vscode.l10n.t('Copy Numbers'),
    transcript: vscode.l10n.t('Open Transcript'),
    compact: vscode.l10n.t('Type the Compaction Command'),
    pick: vscode.l10n.t('Other Sessions…'),
  };
}
