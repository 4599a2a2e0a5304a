// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../../api/protocol';
import type { FirstAnswer, FirstChange, FirstOf, FirstRequest } from '../../api/types';
import { escaped } from '../markdown';
import { plain } from '../statusText';
import { exact, signed } from '../words';

/** How long a result is used before the daemon is asked again about a session that is missing in it. */
const askEveryMs = 60_000;
/** How many workspaces and agents are remembered. */
const kept = 20;
/** From this age on, only the month of a day is shown. */
const longAgoMs = 45 * 24 * 3_600_000;

/** The command of the row: lists the fixed context of a workspace's sessions. It is not in the palette. */
export const setupCommand = 'ctx.view.setup';

/**
 * The fixed context of a workspace's sessions and its changes: a row below the content of a window, and a page with all
 * of them. The daemon is asked once for each workspace and agent, and again when there is a new session.
 */
export class Setups implements vscode.Disposable {
  private readonly known = new Map<string, { at: number; of: FirstOf | undefined }>();
  private readonly command: vscode.Disposable;

  constructor(
    private readonly call: <T>(method: string, params: object) => Promise<T>,
    private readonly arrived: () => void,
    private readonly page: (title: string, text: string) => Promise<void>,
  ) {
    this.command = vscode.commands.registerCommand(setupCommand, (key: string) => this.show(key));
  }

  /**
   * Returns the known data for the workspace and the agent of a session; undefined if there is none. Missing data is
   * requested and drawn later.
   */
  of(reading: Reading, now: number): FirstOf | undefined {
    if (!reading.workspace) {
      return undefined;
    }
    const key = keyOf(reading);
    const before = this.known.get(key);
    const lacks = reading.lastRequest !== null && !before?.of?.sessions.some((s) => s.session === reading.session);
    if (!before || (lacks && now - before.at > askEveryMs)) {
      this.known.delete(key);
      this.known.set(key, { at: now, of: before?.of });
      const oldest = [...this.known.keys()][0];
      if (this.known.size > kept && oldest !== undefined) {
        this.known.delete(oldest);
      }
      void this.ask(key, reading, now);
    }
    return before?.of;
  }

  dispose(): void {
    this.command.dispose();
  }

  private async ask(key: string, { workspace, agent }: Reading, at: number): Promise<void> {
    const answer = await this.call<FirstAnswer>('ctx/first', { workspace, agent }).catch(() => undefined); // only a daemon sees other sessions
    const of = answer?.agents.find((a) => a.agent === agent);
    if (of && this.known.has(key)) {
      this.known.set(key, { at, of });
      this.arrived();
    }
  }

  private async show(key: string): Promise<void> {
    const of = this.known.get(key)?.of;
    if (of) {
      await this.page(vscode.l10n.t('Fixed context over time'), setupText(of, Date.now()));
    }
  }
}

function keyOf({ agent, workspace }: Reading): string {
  return `${agent}\n${workspace}`;
}

/** Returns the row: the old and new size, when it changed, and why. Undefined if there is nothing to compare. */
export function setupItem(of: FirstOf, reading: Reading, now: number): vscode.TreeItem | undefined {
  const { change } = of;
  if (!change) {
    return undefined;
  }
  const item = new vscode.TreeItem(
    change.steady
      ? vscode.l10n.t('Fixed context {0}', exact(change.to))
      : vscode.l10n.t('Fixed context {0} → {1}', exact(change.from), exact(change.to)),
  );
  item.id = `${reading.session}:setup`;
  item.iconPath = new vscode.ThemeIcon('graph-line');
  item.description = plain(described(change, now));
  item.tooltip = [
    `${item.label}, ${item.description}`,
    vscode.l10n.t('The fixed context of every session in this workspace: system prompt, tools, memory files, skills'),
  ].join('\n');
  item.command = {
    command: setupCommand,
    title: vscode.l10n.t('Fixed context over time'),
    arguments: [keyOf(reading)],
  };
  return item;
}

/** Returns when it changed, why, and whether the model has changed. */
function described(change: FirstChange, now: number): string {
  const day = dayOf(change.since, now);
  if (change.steady) {
    return vscode.l10n.t('the same since {0}', day);
  }
  const parts = [vscode.l10n.t('since {0}', day)];
  if (change.kind) {
    const servers = change.servers.length > 0 ? ` (${change.servers.slice(0, 4).join(', ')})` : '';
    parts.push(`${signed(change.tokens)} ${partOf(change.kind)}${servers}`);
  }
  if (change.otherModel) {
    parts.push(vscode.l10n.t('another model'));
  }
  return parts.join(' · ');
}

/** Returns all compared sessions, as a document that the user can read or send. */
export function setupText(of: FirstOf, now: number): string {
  const lines = [`# ${vscode.l10n.t('Fixed context over time')}`, '', of.name, ''];
  if (of.change) {
    const { from, to, steady } = of.change;
    lines.push(`${steady ? exact(to) : `${exact(from)} → ${exact(to)}`}: ${described(of.change, now)}`, '');
  }
  for (const session of of.sessions) {
    lines.push(...sessionLines(session));
  }
  return `${lines.join('\n')}\n`;
}

function sessionLines(first: FirstRequest): string[] {
  const day = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(first.at);
  const about = [first.session, first.model, first.continues ? vscode.l10n.t('continues another conversation') : ''];
  const lines = [`- ${day}: ${exact(first.setup)} (${about.filter(Boolean).join(', ')})`];
  for (const { kind, tokens } of first.rows) {
    lines.push(`  - ${partOf(kind)}: ${exact(tokens)}`);
    if (kind === 'mcpTools') {
      lines.push(...first.mcpServers.map((s) => `    - ${escaped(s.name)}: ${exact(s.tokens)}`));
    }
  }
  return lines;
}

/** Formats a day; only its month if it is long ago. */
function dayOf(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const longAgo: Intl.DateTimeFormatOptions = sameYear ? { month: 'long' } : { month: 'long', year: 'numeric' };
  return new Intl.DateTimeFormat(
    vscode.env.language,
    now - at > longAgoMs ? longAgo : { day: 'numeric', month: 'long' },
  ).format(at);
}

/** Returns the user-facing name of a part of the fixed context. */
function partOf(kind: string): string {
  switch (kind) {
    case 'system':
      return vscode.l10n.t('System prompt');
    case 'tools':
      return vscode.l10n.t('Built-in tools');
    case 'mcpTools':
      return vscode.l10n.t('MCP tools');
    case 'skills':
      return vscode.l10n.t('Skills');
    case 'agents':
      return vscode.l10n.t('Agents');
    case 'memory':
      return vscode.l10n.t('Memory');
    default:
      return vscode.l10n.t('System prompt and tools');
  }
}
