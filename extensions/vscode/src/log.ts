// Copyright The ctx-lsp authors. MIT licence.

import type * as vscode from 'vscode';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** How many lines are kept for “Copy Diagnostics”. */
const keptLines = 40;

/**
 * Returns a message to or from the daemon without the first words of prompts, which are only for the screen. They may
 * be in the name of a session and in the user's own status line.
 */
export function withoutFirstWords(message: string): string {
  return message.replace(/("(?:opening|status)"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1"…"');
}

/** The log of this extension, which remembers its last lines. */
export class Log implements vscode.LogOutputChannel {
  private readonly lines: string[] = [];

  constructor(
    private readonly channel: vscode.LogOutputChannel,
    /** Maps the level of a line to the one it is written at; by default the same. */
    private readonly levelOf: (level: Level, text: string) => Level = (level) => level,
  ) {}

  /** The last lines, oldest first. */
  get recent(): readonly string[] {
    return this.lines;
  }

  get name(): string {
    return this.channel.name;
  }

  get logLevel(): vscode.LogLevel {
    return this.channel.logLevel;
  }

  get onDidChangeLogLevel(): vscode.Event<vscode.LogLevel> {
    return this.channel.onDidChangeLogLevel;
  }

  trace(message: string, ...values: unknown[]): void {
    this.write('trace', message, values);
  }

  debug(message: string, ...values: unknown[]): void {
    this.write('debug', message, values);
  }

  info(message: string, ...values: unknown[]): void {
    this.write('info', message, values);
  }

  warn(message: string, ...values: unknown[]): void {
    this.write('warn', message, values);
  }

  error(message: string | Error, ...values: unknown[]): void {
    this.write('error', message, values);
  }

  append(value: string): void {
    this.channel.append(value);
  }

  appendLine(value: string): void {
    this.channel.appendLine(value);
  }

  replace(value: string): void {
    this.channel.replace(value);
  }

  clear(): void {
    this.channel.clear();
  }

  show(): void {
    this.channel.show();
  }

  hide(): void {
    this.channel.hide();
  }

  dispose(): void {
    this.channel.dispose();
  }

  private write(level: Level, message: string | Error, values: unknown[]): void {
    const text = typeof message === 'string' ? message : message.message;
    const at = this.levelOf(level, text);
    if (at !== 'trace' && at !== 'debug') {
      this.lines.push(`${at}: ${text.split('\n', 1)[0]}`);
      this.lines.splice(0, this.lines.length - keptLines);
    }
    this.channel[at](level === 'trace' ? withoutFirstWords(text) : text, ...values);
  }
}
