// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Reading } from '../api/protocol';
import { type Absence, waysOf } from './absence';
import type { Config } from './config';
import type { Shown } from './focus';
import { fullness } from './fullness';
import { fullName, isDim } from './names';
import { dueWords, ringOf, severity, statusText } from './statusText';
import { absenceMarkdown, readingMarkdown, tooltipCommands, waitingMarkdown } from './tooltip';
import type { Health, Trouble } from './trouble';
import { backSoon } from './warmth';
import { spoken, troubleWords } from './words';

/** All data for drawing the status item. */
export interface StatusView {
  readonly config: Config;
  readonly health: Health;
  /** A message that the numbers are outdated; empty while they are kept up to date. */
  readonly outdated: string;
  readonly shown: Shown | undefined;
  readonly reading: Reading | undefined;
  /** Another session with an agent that is working at the same time. */
  readonly beside: Reading | undefined;
  readonly sessions: number;
  /** Whether no session has been shown yet, since the installation. */
  readonly firstDay: boolean;
  /** Whether the user has hidden the item that is shown without a session. */
  readonly hidden: boolean;
  /** Whether the daemon is still searching for sessions. */
  readonly searching: boolean;
  /** Why there is no session, if there is none. */
  readonly absence: Absence;
  readonly now: number;
}

/** The command of the second item: shows its session in the first one. */
export const besideCommand = 'ctx.beside.show';

/** The look of an item at one moment. */
interface Drawing {
  readonly text: string;
  readonly colour?: 'warning' | 'error' | 'dim' | undefined;
  readonly markdown: string;
  readonly label: string;
  readonly command: string;
  readonly arguments?: unknown[];
}

/** The status item, and a second one next to it while another agent is working too. */
export class StatusItem implements vscode.Disposable {
  private readonly first = new Slot('ctx.status', 90, vscode.l10n.t('Context Window'));
  private second: Slot | undefined;

  /** The displayed text, for "Copy Diagnostics". */
  get text(): string {
    return this.first.text;
  }

  show(view: StatusView): void {
    const { config, shown, reading, beside, absence } = view;
    const trouble = troubleOf(view);
    if (!config.statusItem.enabled) {
      this.first.hide();
    } else if (reading && shown) {
      this.first.draw(drawReading(view, reading, shown, trouble));
    } else if (trouble || absence.weight !== 'quiet') {
      this.first.draw(drawAbsence(absence, trouble));
    } else if (absence.welcome === '' && view.health.state === 'ready' && !view.hidden && canWait(view)) {
      this.first.draw(drawWaiting(absence, view));
    } else {
      this.first.hide();
    }
    if (config.statusItem.enabled && reading && beside && !view.outdated) {
      this.second ??= new Slot('ctx.beside', 89, vscode.l10n.t('Context Window of Another Agent'));
      this.second.draw(drawBeside(beside, view));
    } else {
      this.second?.hide();
    }
  }

  dispose(): void {
    this.first.dispose();
    this.second?.dispose();
  }
}

/** An item in the status bar, hidden while there is nothing to show. */
class Slot implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  /** The current look of the item, so that only changes are sent. */
  private drawn = '';

  constructor(id: string, priority: number, name: string) {
    this.item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, priority);
    this.item.name = name;
  }

  get text(): string {
    return this.drawn === '' ? '' : this.item.text;
  }

  draw(drawing: Drawing): void {
    const drawn = JSON.stringify(drawing);
    if (drawn === this.drawn) {
      return;
    }
    this.drawn = drawn;
    const { text, colour, markdown, label, command, arguments: args = [] } = drawing;
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
    this.item.command = { command, arguments: args, title: vscode.l10n.t('Context window') };
    this.item.show();
  }

  hide(): void {
    if (this.drawn !== '') {
      this.drawn = '';
      this.item.hide();
    }
  }

  dispose(): void {
    this.item.dispose();
  }
}

function drawReading(view: StatusView, reading: Reading, shown: Shown, trouble: Trouble | undefined): Drawing {
  const { clickAction } = view.config.statusItem;
  const { outdated } = view;
  const colour = outdated || isDim(reading) ? 'dim' : colourOf(reading);
  const { format } = view.config.statusItem;
  // A color alone is not visible in high-contrast themes or to color-blind users, so words or an icon say the same.
  const due = outdated || format !== 'usedAndLeft' ? '' : dueWords(reading);
  const alarm = !due && (colour === 'warning' || colour === 'error') ? `$(${colour})` : '';
  // The user's own template is left unchanged.
  const soon = outdated || format === 'custom' ? '' : backSoon(reading, view.now);
  const ring = format === 'custom' ? '' : (format !== 'bar' && ringOf(reading)) || 'ctx';
  const text = [statusText(reading) || 'ctx', due, soon].filter(Boolean).join(' · ');
  return {
    text: [outdated ? '$(history)' : ring, alarm, text].filter(Boolean).join(' '),
    colour,
    markdown: readingMarkdown(reading, {
      reason: shown.reason,
      sessions: view.sessions,
      outdated,
      trouble: trouble && { sentence: trouble.sentence, ways: waysOf(trouble.kind) },
      now: view.now,
    }),
    label: [fullName(reading), spoken(reading, view.now), soon, outdated, trouble ? troubleWords(trouble.kind) : '']
      .filter(Boolean)
      .join(', '),
    command: `ctx.${clickAction}`,
  };
}

/** Draws the other session in short: its ring and its number. */
function drawBeside(reading: Reading, view: StatusView): Drawing {
  const colour = colourOf(reading);
  return {
    // There are no words for the level, so an icon repeats what the color shows.
    text: [ringOf(reading), fullness(reading), colour && `$(${colour})`].filter(Boolean).join(' '),
    colour,
    markdown: readingMarkdown(reading, { now: view.now }),
    label: [fullName(reading), spoken(reading, view.now)].join(', '),
    command: besideCommand,
    arguments: [reading.session],
  };
}

/** Returns whether it is certain that there is no session; on the first day, there never was one. */
function canWait({ firstDay, searching }: StatusView): boolean {
  return firstDay || !searching;
}

/**
 * Draws the item without a session: before the first one that it is searched for and how to start, later that this
 * folder has none.
 */
function drawWaiting(absence: Absence, { firstDay, searching }: StatusView): Drawing {
  const words = searching
    ? vscode.l10n.t('looking for sessions')
    : firstDay
      ? vscode.l10n.t('waiting for an agent')
      : vscode.l10n.t('no session');
  return {
    text: `ctx: ${words}`,
    colour: firstDay ? undefined : 'dim',
    markdown: waitingMarkdown(absence.sentence, firstDay),
    label: `${vscode.l10n.t('Context window')}: ${words}`,
    command: firstDay ? 'ctx.openWalkthrough' : 'ctx.pickSession',
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
  return absenceMarkdown({ sentence, weight: 'trouble', ways: waysOf(kind) });
}

function colourOf(reading: Reading): 'warning' | 'error' | undefined {
  const s = severity(reading.compaction.level);
  return s === 'none' ? undefined : s;
}

/** Returns the trouble to show: that of the backend, otherwise the first setting that was ignored. */
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
