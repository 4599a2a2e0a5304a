// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Config } from './config';
import type { Health, TroubleKind } from './trouble';

/** The actions to offer when there is nothing to show. Each value is a command of the manifest. */
export const ways = {
  install: 'ctx.installDaemon',
  chooseFile: 'ctx.chooseDaemon',
  promptFilesOnly: 'ctx.promptFilesOnly',
  follow: 'ctx.followSessions',
  restart: 'ctx.restartServer',
  settings: 'ctx.openSettings',
  logs: 'ctx.showLogs',
  readme: 'ctx.openReadme',
} as const;
export type Way = keyof typeof ways;

/** Why there is no session to show, and what the user can do about it. All front ends show the same. */
export interface Absence {
  /** Which welcome a view shows; empty if it lists sessions or agents instead. */
  readonly welcome: '' | 'starting' | 'install' | 'restart' | 'web' | 'off';
  readonly sentence: string;
  /** How prominently this is shown: `trouble`, and a `note` about a permanent limit, appear without being asked for. */
  readonly weight: 'trouble' | 'note' | 'quiet';
  readonly ways: readonly Way[];
}

/** Returns the reason why no session is shown. */
export function absence(health: Health, config: Config, canHaveDaemon: boolean, searching: boolean): Absence {
  if (!config.server.enabled) {
    return {
      welcome: 'off',
      sentence: vscode.l10n.t(
        'Sessions are not followed because ctx.server.enabled is off. Prompt files and conversations from other extensions are still counted.',
      ),
      weight: 'quiet',
      ways: ['follow', 'settings'],
    };
  }
  if (!canHaveDaemon) {
    return {
      welcome: 'web',
      sentence: vscode.l10n.t(
        'Browsers cannot start programs, so sessions of agents are not followed here. Prompt files and conversations from other extensions are still counted.',
      ),
      weight: 'note',
      ways: ['readme', 'promptFilesOnly'],
    };
  }
  if (health.state === 'starting') {
    return {
      welcome: 'starting',
      sentence: vscode.l10n.t('The daemon that follows sessions is starting.'),
      weight: 'quiet',
      ways: ['logs'],
    };
  }
  if (health.trouble) {
    const all = waysOf(health.trouble.kind);
    return {
      welcome: all.includes('install') ? 'install' : 'restart',
      sentence: health.trouble.sentence,
      weight: 'trouble',
      ways: all,
    };
  }
  if (searching) {
    return {
      welcome: '',
      sentence: vscode.l10n.t('The daemon is still searching for sessions.'),
      weight: 'quiet',
      ways: ['logs'],
    };
  }
  return {
    welcome: '',
    sentence: vscode.l10n.t(
      'No agent has been active in this workspace yet. Start one to see its context window here.',
    ),
    weight: 'quiet',
    ways: ['logs'],
  };
}

/** Returns the ways to solve one kind of trouble, the likeliest first. */
export function waysOf(kind: TroubleKind): readonly Way[] {
  switch (kind) {
    case 'noDaemon':
    case 'wrongVersion':
      return ['install', 'chooseFile', 'promptFilesOnly', 'logs'];
    case 'badSetting':
      return ['settings', 'logs'];
    case 'crashed':
    case 'silent':
    case 'noCore':
      return ['restart', 'logs', 'promptFilesOnly'];
  }
}

/** Returns the title of a way for a button or a link. */
export function wayTitle(way: Way): string {
  switch (way) {
    case 'install':
      return vscode.l10n.t('Install the Package for This Platform');
    case 'chooseFile':
      return vscode.l10n.t('Choose the ctx-lsp Program…');
    case 'promptFilesOnly':
      return vscode.l10n.t('Prompt Files Only: Hide This');
    case 'follow':
      return vscode.l10n.t('Follow Sessions Again');
    case 'restart':
      return vscode.l10n.t('Restart the Daemon');
    case 'settings':
      return vscode.l10n.t('Open Settings');
    case 'logs':
      return vscode.l10n.t('Show the Log');
    case 'readme':
      return vscode.l10n.t('Where It Works');
  }
}

/** Returns the icon for a sentence of this weight. */
export function absenceIcon({ weight }: Pick<Absence, 'weight'>): string {
  return weight === 'trouble' ? '$(warning)' : '$(info)';
}
