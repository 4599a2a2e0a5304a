// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Config } from './config';
import type { Reading } from '../api/protocol';
import type { Health } from './trouble';

/** What a bug report needs: versions, settings and states. No paths of projects, no labels, no conversation. */
export function diagnosticsReport(
  extensionVersion: string,
  health: Health,
  config: Config,
  readings: readonly Reading[],
  itemText: string,
): string {
  const report = {
    schema: 'ctx.vscode-diagnostics/1',
    extension: extensionVersion,
    editor: `${vscode.env.appName} ${vscode.version}`,
    host: vscode.env.appHost,
    remote: vscode.env.remoteName ?? null,
    ui: vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop',
    trusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    health,
    settings: { ...config, server: { ...config.server, extraEnv: Object.keys(config.server.extraEnv) } },
    statusItem: itemText,
    sessions: readings.map((r) => ({
      agent: r.agent,
      model: r.model,
      used: r.used,
      limit: r.limit,
      basis: r.basis,
      rule: r.compaction.rule,
      level: r.compaction.level,
      warnings: r.warnings.length,
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
