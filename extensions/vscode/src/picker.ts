// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Child, EarlierSession, Reading } from '../api/protocol';
import { type Absence, absenceIcon, type Way, wayTitle } from './absence';
import { agentName } from './agents';
import { fullness } from './fullness';
import { age, isDim, isEarlier, nameOf, standing } from './names';
import { valuesOf } from './panel/rows';
import { isOfToday, isPastHere, pastFullness } from './past';
import { byFullness, liveFirst } from './sessions';
import { plain, severity } from './statusText';

/** The user's choice in the list. */
export type Choice =
  | { readonly act: 'pin' | 'panel'; readonly session: string }
  | { readonly act: 'follow' }
  | { readonly act: 'widen' }
  | { readonly act: 'way'; readonly way: Way };

interface Entry extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

/** The contents of the list. */
export interface PickerView {
  readonly here: readonly Reading[];
  readonly elsewhere: readonly Reading[];
  /** Sessions that the daemon has not read because they are inactive. */
  readonly past: readonly EarlierSession[];
  /** The session on the status item. */
  readonly shown: string | undefined;
  readonly pinned: boolean;
  /** Whether there may be sessions of other workspaces that have not been searched yet. */
  readonly canWiden: boolean;
  /** Why there is no session, or why there may be more than the list shows. */
  readonly absence: Absence;
  readonly now: number;
}

/**
 * Shows the list of sessions: first those of this workspace, then those elsewhere, then earlier ones. In each group,
 * live sessions come before idle ones, the fullest first, and sub-agents are below their parent. Enter shows a session
 * on the status item; the button at the end of a line opens its panel. Sessions that are read appear at once; the list
 * is complete when `complete` resolves. Resolves with undefined if the user chooses nothing.
 */
export function pickSession(view: PickerView, complete: Promise<PickerView>): Promise<Choice | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Entry>();
    pick.title = vscode.l10n.t('Context windows');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    const draw = (view: PickerView, active: string | undefined): void => {
      const none = view.here.length + view.elsewhere.length + view.past.length === 0;
      pick.placeholder = none
        ? vscode.l10n.t('No sessions found')
        : vscode.l10n.t('Pick the session to show on the status item');
      pick.items = entries(view);
      pick.activeItems = pick.items
        .filter((i) => i.choice && 'session' in i.choice && i.choice.session === active)
        .slice(0, 1);
    };
    draw(view, view.shown);
    let open = true;
    void complete.then((whole) => {
      if (open && whole.past.length > 0) {
        const choice = pick.activeItems[0]?.choice; // the user may have moved on in the meantime
        draw(whole, choice && 'session' in choice ? choice.session : view.shown);
      }
    });
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
      open = false;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Returns the entries of the list, in order. */
export function entries(view: PickerView): Entry[] {
  const { shown, pinned, canWiden, absence, now } = view;
  const list: Entry[] = [];
  const known = new Set([...view.here, ...view.elsewhere].map((r) => r.session));
  const unread = view.past.filter((p) => !known.has(p.session));
  const group = (
    title: string,
    readings: readonly Reading[],
    unread: readonly EarlierSession[],
    withFolder: boolean,
  ): void => {
    if (readings.length + unread.length > 0) {
      list.push({ label: title, kind: vscode.QuickPickItemKind.Separator });
      for (const reading of [...readings].sort(liveFirst)) {
        list.push(sessionEntry(reading, view, withFolder));
        childEntries(reading.children, 1, view, list);
      }
      list.push(...unread.map((p) => pastEntry(p, now, withFolder)));
    }
  };
  const today = unread.filter((p) => isOfToday(p, now));
  const past = (r: Reading): boolean => isEarlier(r, now);
  group(
    vscode.l10n.t('This workspace'),
    view.here.filter((r) => !past(r)),
    today.filter(isPastHere),
    false,
  );
  group(
    vscode.l10n.t('Elsewhere'),
    view.elsewhere.filter((r) => !past(r)),
    today.filter((p) => !isPastHere(p)),
    true,
  );
  group(
    vscode.l10n.t('Earlier'),
    [...view.here, ...view.elsewhere].filter(past),
    unread.filter((p) => !isOfToday(p, now)),
    true,
  );
  if (list.length === 0 || absence.weight !== 'quiet') {
    list.push({ label: vscode.l10n.t('Status'), kind: vscode.QuickPickItemKind.Separator });
    for (const [i, line] of lines(absence.sentence).entries()) {
      list.push({ label: `${i === 0 ? absenceIcon(absence) : '$(blank)'} ${plain(line)}`, alwaysShow: true });
    }
    for (const way of absence.ways) {
      list.push({ label: `$(arrow-right) ${wayTitle(way)}`, choice: { act: 'way', way }, alwaysShow: true });
    }
  }
  const actions: Entry[] = [];
  if (shown !== undefined) {
    actions.push({
      label: `$(graph) ${vscode.l10n.t('Show what fills the context window')}`,
      choice: { act: 'panel', session: shown },
    });
  }
  if (pinned) {
    actions.push({ label: `$(pinned) ${vscode.l10n.t('Follow the focus again')}`, choice: { act: 'follow' } });
  }
  if (canWiden) {
    actions.push({
      label: `$(search) ${vscode.l10n.t('Look for Sessions of Other Workspaces')}`,
      choice: { act: 'widen' },
    });
  }
  if (actions.length > 0) {
    list.push({ label: vscode.l10n.t('Actions'), kind: vscode.QuickPickItemKind.Separator }, ...actions);
  }
  return list;
}

/** Splits a sentence into lines that fit, because a list shows only one line of an entry. */
function lines(sentence: string): string[] {
  const out = [''];
  for (const word of sentence.split(' ')) {
    const last = out.length - 1;
    if ((out[last] ?? '').length + word.length > 72) {
      out.push(word);
    } else {
      out[last] = `${out[last]} ${word}`.trim();
    }
  }
  return out;
}

function panelButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('graph'), tooltip: vscode.l10n.t('Show what fills it') };
}

function sessionEntry(reading: Reading, { shown, now }: PickerView, withFolder: boolean): Entry {
  const { display: d } = reading;
  const [left = ''] = valuesOf(reading, 'window', ['until'], now);
  const of = reading.percent === null ? '' : `${d.used} / ${d.limit}`;
  return {
    // The number comes first, because editors cut off the end if a list is too narrow.
    label: `${icon(reading)} ${fullness(reading)} ${plain(nameOf(reading))}`,
    description: [of, isDim(reading) ? '' : left, reading.session === shown ? vscode.l10n.t('shown') : '']
      .filter(Boolean)
      .join(' · '),
    detail: [agentName(reading.agent), reading.model, ...standing(reading, now), withFolder ? reading.workspace : '']
      .filter(Boolean)
      .map(plain)
      .join(' · '),
    buttons: [panelButton()],
    choice: { act: 'pin', session: reading.session },
  };
}

/** Returns the entry of a session that is not read yet; picking it reads it. */
function pastEntry(past: EarlierSession, now: number, withFolder: boolean): Entry {
  const named = { ...past, label: '', asOf: past.modified };
  const { glimpse } = past;
  const of = glimpse?.percent == null ? '' : `${glimpse.display.used} / ${glimpse.display.limit}`;
  return {
    label: ['$(circle-outline)', pastFullness(past), plain(nameOf(named))].filter(Boolean).join(' '),
    description: of,
    detail: [agentName(past.agent), glimpse?.model, age(named, now), withFolder ? past.workspace : '']
      .filter((part) => part !== undefined && part !== '')
      .map((part) => plain(part as string))
      .join(' · '),
    choice: { act: 'pin', session: past.session },
  };
}

function childEntries(children: readonly Child[], depth: number, view: PickerView, into: Entry[]): void {
  for (const child of [...children].sort(byFullness)) {
    into.push({
      label: `${'    '.repeat(depth)}$(type-hierarchy-sub) ${fullness(child)} ${plain(nameOf(child))}`,
      description: [
        child.model,
        ...standing(child, view.now),
        child.session === view.shown ? vscode.l10n.t('shown') : '',
      ]
        .filter(Boolean)
        .map(plain)
        .join(' · '),
      buttons: [panelButton()],
      choice: { act: 'pin', session: child.session },
    });
    childEntries(child.children, depth + 1, view, into);
  }
}

function icon(reading: Reading): string {
  if (isDim(reading)) {
    return '$(circle-outline)';
  }
  switch (severity(reading.compaction.level)) {
    case 'error':
      return '$(error)';
    case 'warning':
      return '$(warning)';
    case 'none':
      return '$(circle-filled)';
  }
}
