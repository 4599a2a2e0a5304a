// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { type Absence, waysOf } from './absence';
import type { Config } from './config';
import type { Shown } from './focus';
import { escaped } from './markdown';
import { fullName, isDim } from './names';
import { said } from './phrases';
import { severity, statusText } from './statusText';
import { absenceMarkdown, readingMarkdown, tooltipCommands } from './tooltip';
import type { Health, Trouble } from './trouble';
import { backSoon } from './warmth';
import { spoken, troubleWords } from './words';

/** Everything that the status item depends on. */
export interface StatusView {
  readonly config: Config;
  readonly health: Health;
  /** Says that the numbers are old; empty while they are kept up to date. */
  readonly outdated: string;
  readonly shown: Shown | undefined;
  readonly reading: Reading | undefined;
  readonly sessions: number;
  /** Why there is no session, where there is none. */
  readonly absence: Absence;
  readonly canCompact: boolean;
  readonly now: number;
}

/** The look of the item at one moment. */
interface Drawing {
  readonly text: string;
  readonly colour?: 'warning' | 'error' | 'dim' | undefined;
  readonly markdown: string;
  readonly label: string;
  readonly command: string;
}

/** The only status item. It is hidden when there is nothing to say. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('ctx.status', vscode.StatusBarAlignment.Right, 90);
  /** What is on the screen now, so that only changes are sent. */
  private drawn = '';

  constructor() {
    this.item.name = vscode.l10n.t('Context Window');
  }

  /** The text that is shown, for "Copy Diagnostics". */
  get text(): string {
    return this.drawn === '' ? '' : this.item.text;
  }

  show(view: StatusView): void {
    const { config, shown, reading, absence } = view;
    const trouble = troubleOf(view);
    if (!config.statusItem.enabled) {
      this.hide();
    } else if (reading && shown) {
      this.draw(drawReading(view, reading, shown, trouble));
    } else if (trouble || absence.weight !== 'quiet') {
      this.draw(drawAbsence(absence, trouble));
    } else {
      this.hide();
    }
  }

  dispose(): void {
    this.item.dispose();
  }

  private draw(drawing: Drawing): void {
    const drawn = JSON.stringify(drawing);
    if (drawn === this.drawn) {
      return;
    }
    this.drawn = drawn;
    const { text, colour, markdown, label, command } = drawing;
    this.item.text = text;
    const background = colour === 'warning' || colour === 'error';
    this.item.backgroundColor = background ? new vscode.ThemeColor(`statusBarItem.${colour}Background`) : undefined;
    this.item.color =
      colour === 'dim'
        ? new vscode.ThemeColor('ctx.idleForeground')
        : background
          ? new vscode.ThemeColor(`statusBarItem.${colour}Foreground`)
          : undefined;
    const tooltip = new vscode.MarkdownString(markdown, true);
    tooltip.isTrusted = { enabledCommands: tooltipCommands };
    this.item.tooltip = tooltip;
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

function drawReading(view: StatusView, reading: Reading, shown: Shown, trouble: Trouble | undefined): Drawing {
  const { clickAction } = view.config.statusItem;
  const { outdated } = view;
  const colour = outdated || isDim(reading) ? 'dim' : colourOf(reading);
  // A colour alone says nothing in a theme of high contrast, or to many people, so an icon says the same.
  const icon = outdated ? '$(history) ' : colour === 'warning' || colour === 'error' ? `$(${colour}) ` : '';
  // A template of the user's own is left as it is.
  const soon = outdated || view.config.statusItem.format === 'custom' ? '' : backSoon(reading, view.now);
  const markdown = [
    ...(outdated ? [`$(history) ${escaped(outdated)}`] : []),
    readingMarkdown(reading, {
      reason: shown.reason,
      sessions: view.sessions,
      canCompact: view.canCompact,
      now: view.now,
    }),
  ];
  if (trouble) {
    markdown.push(troubleMarkdown(trouble));
  }
  return {
    text: `${icon}${[statusText(reading), soon].filter(Boolean).join(' · ')}`,
    colour,
    markdown: markdown.join('\n\n---\n\n'),
    label: [fullName(reading), spoken(reading), soon, outdated, trouble ? troubleWords(trouble.kind) : '']
      .filter(Boolean)
      .join(', '),
    command: `ctx.${clickAction}`,
  };
}

function drawAbsence(absence: Absence, trouble: Trouble | undefined): Drawing {
  const words = trouble ? troubleWords(trouble.kind) : vscode.l10n.t('prompt files only');
  return {
    text: `${trouble ? '$(warning) ' : ''}ctx: ${words}`,
    markdown: trouble ? troubleMarkdown(trouble) : absenceMarkdown(absence),
    label: `${vscode.l10n.t('Context window')}: ${words}`,
    command: 'ctx.pickSession',
  };
}

function troubleMarkdown({ kind, sentence }: Trouble): string {
  return absenceMarkdown({ sentence: said(sentence), weight: 'trouble', ways: waysOf(kind) });
}

function colourOf(reading: Reading): 'warning' | 'error' | undefined {
  const s = severity(reading.compaction.level);
  return s === 'none' ? undefined : s;
}

/** The trouble to show: that of the backend, or else the first setting that was ignored. */
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
