// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Child, EarlierSession, Reading } from '../api/protocol';
import { agentName } from './agents';
import { waitingPhrases } from './words.gen';

/** The name of a session, its age and its agent's activity, in the same words for every face. */

type Session = Reading | Child;

/** After so long without a record a session is listed under “Earlier”. */
export const earlierMs = 24 * 60 * 60 * 1000;

/** The fields that can name a session. */
type Named = Pick<Session, 'title' | 'label' | 'session'> &
  Partial<Pick<Session, 'workspace' | 'asOf'> & Pick<Reading, 'opening'>>;

/**
 * The name of the session itself: the agent's title, the label of its extension, or the first words of its first
 * prompt. A session without any of them is named by its folder and age, and by its id only if these are unknown.
 */
export function nameOf(session: Named): string {
  return oneLine(session.title || session.label || session.opening || '') || placeOf(session);
}

/** The name followed by the agent's, for a session that stands alone: in a heading, a notification, or a tab. */
export function fullName(session: Named & Pick<Session, 'agent'>): string {
  const agent = agentName(session.agent);
  return agent === '' ? nameOf(session) : `${nameOf(session)} — ${agent}`;
}

function placeOf({ session, workspace = '', asOf = null }: Named): string {
  const folder = oneLine(workspace.split(/[/\\]/).findLast((part) => part !== '') ?? '');
  const known = [folder, age({ asOf }, Date.now())].filter(Boolean);
  return folder === '' ? [...known, shortId(session)].join(', ') : known.join(', ');
}

/** The same Reading without the first words of its prompt, which are for the screen and for nothing else. */
export function withoutOpening<T extends object>(session: T): T {
  const { opening: _, ...rest } = session as T & Pick<Reading, 'opening'>;
  return rest as unknown as T;
}

/** The first eight characters of the part of an id that differs from other ids of the agent. */
export function shortId(id: string): string {
  const [last = id] = id.split(/[/:~]/).slice(-1);
  return /^vscode-\d+$/.test(last) ? last : last.replace(/^(rollout|ses|session|agent)[-_]/, '').slice(0, 8);
}

/** The same Reading without titles and first words, also of its sub-agents, for users who want none on the screen. */
export function withoutTitles<T extends Session>(session: T): T {
  return { ...withoutOpening(session), title: '', children: session.children.map(withoutTitles) };
}

/** Whether nobody carries the session on. Such a session is drawn dim, and never alarms. */
export function isDim({ activity }: Session): boolean {
  return activity === 'idle' || activity === 'ended';
}

/** Whether an agent works in the session, or waits there for the user. */
export function isAtWork({ activity }: Session): boolean {
  return activity === 'working' || activity === 'waiting';
}

/** Whether the session is listed under “Earlier”. */
export function isEarlier(session: Session, now: number): boolean {
  return isDim(session) && session.asOf !== null && now - session.asOf > earlierMs;
}

/** What the agent does, in words; empty where that is not known. */
export function activityWords({ activity, waitingFor }: Session): string {
  switch (activity) {
    case 'working':
      return vscode.l10n.t('working');
    case 'waiting':
      return waitingPhrases[waitingFor === 'approval' ? 'approval' : 'prompt']();
    case 'idle':
      return vscode.l10n.t('idle');
    case 'ended':
      return vscode.l10n.t('ended');
    default:
      return '';
  }
}

/** How old the session's newest record is; empty where that is not known. */
export function age(session: Pick<Session, 'asOf'>, now: number): string {
  if (session.asOf === null) {
    return '';
  }
  const minutes = Math.floor((now - session.asOf) / 60_000);
  const hours = Math.floor(minutes / 60);
  switch (true) {
    case minutes < 1:
      return vscode.l10n.t('just now');
    case minutes < 60:
      return vscode.l10n.t('{0} min ago', minutes);
    case hours < 48:
      return vscode.l10n.t('{0} h ago', hours);
    default:
      return vscode.l10n.t('{0} days ago', Math.floor(hours / 24));
  }
}

/** The same age in a few characters, for a row of a narrow view. */
export function shortAge(session: Pick<Session, 'asOf'>, now: number): string {
  if (session.asOf === null) {
    return '';
  }
  const minutes = Math.floor((now - session.asOf) / 60_000);
  const hours = Math.floor(minutes / 60);
  switch (true) {
    case minutes < 1:
      return vscode.l10n.t('now');
    case minutes < 60:
      return vscode.l10n.t('{0} min', minutes);
    case hours < 48:
      return vscode.l10n.t('{0} h', hours);
    default:
      return vscode.l10n.t('{0} d', Math.floor(hours / 24));
  }
}

/** State, the program that runs it, branch and age, for the line below a name. */
export function standing(session: Session, now: number): string[] {
  return [activityWords(session), hostWords(session), oneLine(session.branch ?? ''), age(session, now)].filter(Boolean);
}

/** The program that runs a session for its agent, in words; empty for a session that runs in the agent's own. */
export function hostWords(session: Session | EarlierSession): string {
  return 'host' in session && session.host ? vscode.l10n.t('in {0}', oneLine(session.host)) : '';
}

/** A name of at most so many characters; where it is cut, it says so. */
export function shortened(name: string, length: number): string {
  return name.length > length ? `${name.slice(0, length - 1).trimEnd()}…` : name;
}

/** Keeps a name from a transcript on one line, and no longer than a person reads. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return shortened(line, 80);
}
