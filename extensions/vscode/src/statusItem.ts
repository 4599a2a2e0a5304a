// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { agentName } from './agents';
import type { Config } from './config';
import type { Shown } from './focus';
import type { Reading } from '../api/protocol';
import { severity, statusText } from './statusText';
import { linksMarkdown, readingMarkdown, tooltipCommands, troubleMarkdown } from './tooltip';
import type { Health, Trouble } from './trouble';
import { spoken, statusWords, troubleWords } from './words';

/** Everything that the status item depends on. */
export interface StatusView {
  readonly config: Config;
  readonly health: Health;
  readonly shown: Shown | undefined;
  readonly reading: Reading | undefined;
  readonly sessions: number;
}

/** The one status item. It is hidden when there is nothing to say. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('ctx.status', vscode.StatusBarAlignment.Right, 90);
  /** What is on the screen, so that only changes are sent to it. */
  private drawn = '';

  constructor() {
    this.item.name = vscode.l10n.t('Context Window');
  }

  /** The text as it is shown, for "Copy Diagnostics". */
  get text(): string {
    return this.drawn === '' ? '' : this.item.text;
  }

  show(view: StatusView): void {
    const { config, health, shown, reading } = view;
    const trouble = troubleOf(view);
    if (!config.statusItem.enabled) {
      this.hide();
    } else if (reading && shown) {
      this.showReading(view, reading, shown, trouble);
    } else if (trouble) {
      this.showTrouble(trouble);
    } else if (health.state === 'starting' && view.sessions > 0) {
      this.draw(
        `$(loading~spin) ctx`,
        undefined,
        undefined,
        vscode.l10n.t('The context window daemon is starting'),
        'ctx.showLogs',
      );
    } else {
      this.hide();
    }
  }

  dispose(): void {
    this.item.dispose();
  }

  private showReading(view: StatusView, reading: Reading, shown: Shown, trouble: Trouble | undefined): void {
    const { format, template, clickAction } = view.config.statusItem;
    const text = statusText(reading, format, template, statusWords());
    const parts = [
      readingMarkdown(reading, shown.reason, view.sessions),
      linksMarkdown(reading, shown.reason === 'pinned'),
    ];
    if (trouble) {
      parts.push(troubleMarkdown(trouble));
    }
    const who = agentName(reading.agent);
    const label = [who, spoken(reading), trouble ? troubleWords(trouble.kind) : ''].filter(Boolean).join(', ');
    this.draw(plain(text), colourOf(reading), parts.join('\n\n---\n\n'), label, `ctx.${clickAction}`);
  }

  private showTrouble(trouble: Trouble): void {
    const words = troubleWords(trouble.kind);
    this.draw(
      `$(warning) ctx: ${words}`,
      undefined,
      troubleMarkdown(trouble),
      `${vscode.l10n.t('Context window')}: ${words}`,
      'ctx.showLogs',
    );
  }

  private draw(
    text: string,
    colour: string | undefined,
    markdown: string | undefined,
    label: string,
    command: string,
  ): void {
    const drawn = JSON.stringify([text, colour, markdown, label, command]);
    if (drawn === this.drawn) {
      return;
    }
    this.drawn = drawn;
    this.item.text = text;
    this.item.backgroundColor = colour ? new vscode.ThemeColor(`statusBarItem.${colour}Background`) : undefined;
    this.item.color = colour ? new vscode.ThemeColor(`statusBarItem.${colour}Foreground`) : undefined;
    if (markdown === undefined) {
      this.item.tooltip = label;
    } else {
      const tooltip = new vscode.MarkdownString(markdown, true);
      tooltip.isTrusted = { enabledCommands: tooltipCommands };
      this.item.tooltip = tooltip;
    }
    this.item.accessibilityInformation = { label, role: 'button' };
    this.item.command = { command, title: vscode.l10n.t('Context window') };
    this.item.show();
  }

  private hide(): void {
    if (this.drawn !== '') {
      this.drawn = '';
      this.item.hide();
    }
  }
}

function colourOf(reading: Reading): 'warning' | 'error' | undefined {
  const s = severity(reading.compaction.level);
  return s === 'none' ? undefined : s;
}

/** An icon in a model's or an agent's name stays text. */
function plain(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** The trouble worth showing: that of the backend, else the first setting that was ignored. */
function troubleOf(view: StatusView): Trouble | undefined {
  const { health, config } = view;
  if (health.state === 'stopped') {
    return health.trouble;
  }
  if (health.state === 'ready' && health.trouble) {
    return health.trouble;
  }
  const [problem] = config.problems;
  return problem === undefined ? undefined : { kind: 'badSetting', sentence: problem };
}
