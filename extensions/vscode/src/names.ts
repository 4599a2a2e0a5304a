// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { Child, Reading } from '../api/protocol';
import { agentName } from './agents';

/** What a session is called, how old it is and what its agent does: the same words in every face. */

type Session = Reading | Child;

/** A session that nobody carried on for so long stands under “Earlier”. */
const earlierMs = 24 * 60 * 60 * 1000;

/** What the session itself is called: the agent's title, the label of its extension, else the beginning of its id. */
export function nameOf(session: Session): string {
  return oneLine(session.title || session.label) || shortId(session.session);
}

/** The name with the agent behind it, for where a session stands alone: in a heading, a notification, a tab. */
export function fullName(session: Session): string {
  const agent = agentName(session.agent);
  if (agent === '') {
    return nameOf(session);
  }
  return session.title || session.label ? `${nameOf(session)} — ${agent}` : `${agent} ${nameOf(session)}`;
}

/** The first eight characters of what tells an id from others of its agent. */
export function shortId(id: string): string {
  const [last = id] = id.split(/[/:~]/).slice(-1);
  return /^vscode-\d+$/.test(last) ? last : last.replace(/^(rollout|ses|session|agent)[-_]/, '').slice(0, 8);
}

/** The same Reading with titles taken away, its sub-agents' too, for people who want none on the screen. */
export function withoutTitles<T extends Session>(session: T): T {
  return { ...session, title: '', children: session.children.map(withoutTitles) };
}

/** Whether nobody carries the session on: it is drawn dim, and never alarms. */
export function isDim({ activity }: Session): boolean {
  return activity === 'idle' || activity === 'ended';
}

/** Whether the session is a matter of the past. */
export function isEarlier(session: Session, now: number): boolean {
  return isDim(session) && session.asOf !== null && now - session.asOf > earlierMs;
}

/** What the agent does, in words; empty where nothing tells. */
export function activityWords({ activity, waitingFor }: Session): string {
  switch (activity) {
    case 'working':
      return vscode.l10n.t('working');
    case 'waiting':
      return waitingFor === 'approval' ? vscode.l10n.t('waiting for approval') : vscode.l10n.t('waiting for you');
    case 'idle':
      return vscode.l10n.t('idle');
    case 'ended':
      return vscode.l10n.t('ended');
    default:
      return '';
  }
}

/** How long ago the session was heard of last; empty where that is not known. */
export function age(session: Session, now: number): string {
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

/** State, branch and age, for the line below a name. */
export function standing(session: Session, now: number): string[] {
  return [activityWords(session), oneLine(session.branch ?? ''), age(session, now)].filter(Boolean);
}

/** What a transcript calls itself stays on one line and is no longer than a person reads. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
