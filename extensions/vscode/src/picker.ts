// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import { agentName } from './agents';
import type { Child, Reading } from '../api/protocol';
import { byFullness } from './sessions';
import { severity } from './statusText';

/** What a person chose in the list. */
export type Choice =
  | { readonly act: 'pin' | 'panel'; readonly session: string }
  | { readonly act: 'follow' }
  | { readonly act: 'widen' };

interface Entry extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

/** What the list is made of. */
export interface PickerView {
  readonly here: readonly Reading[];
  readonly elsewhere: readonly Reading[];
  /** The session on the status item. */
  readonly shown: string | undefined;
  readonly pinned: boolean;
  /** Whether there may be sessions of other workspaces that were not looked for yet. */
  readonly canWiden: boolean;
}

/**
 * The list of sessions, those of this workspace first, each group fullest first, sub-agents under their parent.
 * Enter shows the session on the status item; the button at the end of a line opens its panel.
 */
export function pickSession(view: PickerView): Promise<Choice | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Entry>();
    const panelButton: vscode.QuickInputButton = {
      iconPath: new vscode.ThemeIcon('graph'),
      tooltip: vscode.l10n.t('Show what fills it'),
    };
    pick.title = vscode.l10n.t('Context windows');
    pick.placeholder = vscode.l10n.t('Pick the session to show on the status item');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = entries(view, panelButton);
    pick.activeItems = pick.items
      .filter((i) => i.choice && 'session' in i.choice && i.choice.session === view.shown)
      .slice(0, 1);
    pick.onDidTriggerItemButton(({ item }) => {
      const { choice } = item;
      resolve(choice && 'session' in choice ? { act: 'panel', session: choice.session } : undefined);
      pick.hide();
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.choice);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function entries({ here, elsewhere, shown, pinned, canWiden }: PickerView, button: vscode.QuickInputButton): Entry[] {
  const list: Entry[] = [];
  const group = (title: string, readings: readonly Reading[]): void => {
    if (readings.length > 0) {
      list.push({ label: title, kind: vscode.QuickPickItemKind.Separator });
      for (const reading of [...readings].sort(byFullness)) {
        list.push(sessionEntry(reading, shown, button));
        childEntries(reading.children, 1, shown, button, list);
      }
    }
  };
  group(vscode.l10n.t('This workspace'), here);
  group(vscode.l10n.t('Elsewhere'), elsewhere);
  list.push({ label: vscode.l10n.t('Actions'), kind: vscode.QuickPickItemKind.Separator });
  if (shown !== undefined) {
    list.push({
      label: `$(graph) ${vscode.l10n.t('Show what fills the context window')}`,
      choice: { act: 'panel', session: shown },
    });
  }
  if (pinned) {
    list.push({ label: `$(pinned) ${vscode.l10n.t('Follow the focus again')}`, choice: { act: 'follow' } });
  }
  if (canWiden) {
    list.push({
      label: `$(search) ${vscode.l10n.t('Look for sessions of other workspaces')}`,
      choice: { act: 'widen' },
    });
  }
  return list;
}

function sessionEntry(reading: Reading, shown: string | undefined, button: vscode.QuickInputButton): Entry {
  const { display: d, compaction: c } = reading;
  const left = c.line === null ? '' : vscode.l10n.t('{0} to compact', d.left);
  const full = reading.limit !== null ? `${d.mark}${d.percent} · ${d.used} / ${d.limit}` : `${d.mark}${d.used}`;
  return {
    label: `${icon(reading)} ${plain(reading.label || agentName(reading.agent) || reading.session)}`,
    description: [full, left, reading.session === shown ? vscode.l10n.t('shown') : ''].filter(Boolean).join(' · '),
    detail: [reading.label ? agentName(reading.agent) : '', reading.model, reading.workspace]
      .filter(Boolean)
      .join(' · '),
    buttons: [button],
    choice: { act: 'pin', session: reading.session },
  };
}

function childEntries(
  children: readonly Child[],
  depth: number,
  shown: string | undefined,
  button: vscode.QuickInputButton,
  into: Entry[],
): void {
  for (const child of [...children].sort(byFullness)) {
    const { display: d } = child;
    into.push({
      label: `${'    '.repeat(depth)}$(type-hierarchy-sub) ${plain(child.label || agentName(child.agent) || child.session)}`,
      description: [
        `${d.mark}${child.percent === null ? d.used : d.percent}`,
        child.model,
        child.session === shown ? vscode.l10n.t('shown') : '',
      ]
        .filter(Boolean)
        .join(' · '),
      buttons: [button],
      choice: { act: 'pin', session: child.session },
    });
    childEntries(child.children, depth + 1, shown, button, into);
  }
}

function icon(reading: Reading): string {
  switch (severity(reading.compaction.level)) {
    case 'error':
      return '$(error)';
    case 'warning':
      return '$(warning)';
    case 'none':
      return '$(circle-large-outline)';
  }
}

function plain(text: string): string {
  return text
    .replaceAll('$(', '$\u200b(')
    .replace(/[\r\n]+/g, ' ')
    .slice(0, 120);
}
