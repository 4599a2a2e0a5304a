// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import type { Config } from './config';
import type { Health } from './trouble';

/**
 * Returns the contents of a bug report: versions, settings, states and the end of the log. It contains no paths, no
 * labels and nothing from a conversation.
 */
export function diagnosticsReport(
  extensionVersion: string,
  health: Health,
  config: Config,
  readings: readonly Reading[],
  itemText: string,
  log: readonly string[],
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
      activity: r.activity ?? '',
      used: r.used,
      limit: r.limit,
      basis: r.basis,
      rule: r.compaction.rule,
      level: r.compaction.level,
      warnings: r.warnings.length,
    })),
    log,
  };
  return `${JSON.stringify(report, (_, value: unknown) => (typeof value === 'string' ? withoutFolders(value) : value), 2)}\n`;
}

/**
 * Removes the directories from the paths in a text but leaves program names, because a path reveals who users are and
 * what they work on.
 */
export function withoutFolders(text: string, known: readonly string[] = ownFolders()): string {
  let out = text;
  for (const folder of known) {
    out = out.replaceAll(folder, '~');
  }
  return out.replace(
    /(?:(?<![\w.:])[A-Za-z]:|(?<![\w.]))[\\/](?:[^\\/\s“”"'<>|:]+[\\/])+[^\\/\s“”"'<>|:]*|~(?:[\\/][^\\/\s“”"'<>|:]+)+/g,
    (path) => {
      const last = path.split(/[\\/]/).at(-1) ?? '';
      return /^ctx-lsp(\.exe)?$/.test(last) ? `…/${last}` : '…';
    },
  );
}

/**
 * Returns the workspace's folders and the home directory. Their names may contain spaces, which would otherwise end a
 * path in a text.
 */
function ownFolders(): string[] {
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
  return [...(vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath), env.HOME, env.USERPROFILE].filter(
    (f): f is string => f !== undefined && f.length > 1,
  );
}
