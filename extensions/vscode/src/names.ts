// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Child, EarlierSession, Reading } from '../api/protocol';
import { agentName } from './agents';
import { waitingPhrases } from './words.gen';

/** The fields for a session's name, its age and its agent's activity, which all front ends show in the same words. */

type Session = Reading | Child;

/** A session without a record for this long is listed under “Earlier”. */
export const earlierMs = 24 * 60 * 60 * 1000;

/** The fields that can name a session. */
type Named = Pick<Session, 'title' | 'label' | 'session'> &
  Partial<Pick<Session, 'workspace' | 'asOf'> & Pick<Reading, 'opening'>>;

/**
 * Returns the name of a session: the agent's title, the label of its extension, or the first words of its first prompt.
 * Without any of them it is the session's folder and age, with the id if the folder is unknown.
 */
export function nameOf(session: Named): string {
  return oneLine(session.title || session.label || session.opening || '') || placeOf(session);
}

/** Returns the session's name followed by the agent's, for a heading, a notification, or a tab. */
export function fullName(session: Named & Pick<Session, 'agent'>): string {
  const agent = agentName(session.agent);
  return agent === '' ? nameOf(session) : `${nameOf(session)} — ${agent}`;
}

function placeOf({ session, workspace = '', asOf = null }: Named): string {
  const folder = oneLine(workspace.split(/[/\\]/).findLast((part) => part !== '') ?? '');
  const known = [folder, age({ asOf }, Date.now())].filter(Boolean);
  return folder === '' ? [...known, shortId(session)].join(', ') : known.join(', ');
}

/** Returns a Reading without the first words of its prompt, which are only for the screen. */
export function withoutOpening<T extends object>(session: T): T {
  const { opening: _, ...rest } = session as T & Pick<Reading, 'opening'>;
  return rest as unknown as T;
}

/** Returns the first eight characters of the distinctive part of an agent's session id. */
export function shortId(id: string): string {
  const [last = id] = id.split(/[/:~]/).slice(-1);
  return /^vscode-\d+$/.test(last) ? last : last.replace(/^(rollout|ses|session|agent)[-_]/, '').slice(0, 8);
}

/** Returns a Reading without titles and first words, also of its sub-agents, for users who want to hide them. */
export function withoutTitles<T extends Session>(session: T): T {
  return { ...withoutOpening(session), title: '', children: session.children.map(withoutTitles) };
}

/** Reports whether the session is inactive. Such a session is dimmed and never causes alerts. */
export function isDim({ activity }: Session): boolean {
  return activity === 'idle' || activity === 'ended';
}

/** Reports whether an agent is working in the session or waiting there for the user. */
export function isAtWork({ activity }: Session): boolean {
  return activity === 'working' || activity === 'waiting';
}

/** Reports whether the session is listed under “Earlier”. */
export function isEarlier(session: Session, now: number): boolean {
  return isDim(session) && session.asOf !== null && now - session.asOf > earlierMs;
}

/** Returns the agent's activity in words; empty if unknown. */
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

/** Returns the age of the session's newest record; empty if unknown. */
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

/** Returns the age in a few characters, for a row of a narrow view; empty if unknown. */
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

/** Returns activity, host program, branch and age, for the line below a name. */
export function standing(session: Session, now: number): string[] {
  return [activityWords(session), hostWords(session), oneLine(session.branch ?? ''), age(session, now)].filter(Boolean);
}

/** Returns the program that runs a session for its agent, in words; empty if the agent runs it itself. */
export function hostWords(session: Session | EarlierSession): string {
  return 'host' in session && session.host ? vscode.l10n.t('in {0}', oneLine(session.host)) : '';
}

/** Returns a name of at most `length` characters, with an ellipsis if it is cut. */
export function shortened(name: string, length: number): string {
  return name.length > length ? `${name.slice(0, length - 1).trimEnd()}…` : name;
}

/** Puts a name from a transcript on one line and shortens it. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return shortened(line, 80);
}
