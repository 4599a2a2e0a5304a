// Copyright The ctx-lsp authors. MIT licence.

import type { Coverage } from '../messages';
import type { Say } from './say';

/** Returns a sentence for each part of the conversation that its number does not include. */
export function covered(c: Coverage, say: Say): string[] {
  const out: string[] = [];
  if (c.read < c.of) out.push(say('partRead', String(c.read), String(c.of)));
  else if (c.more) out.push(say('moreThanRead', String(c.read)));
  if (c.files > 0) out.push(say(c.files === 1 ? 'fileNotCounted' : 'filesNotCounted', String(c.files)));
  if (c.pictures > 0) out.push(say(c.pictures === 1 ? 'pictureNotCounted' : 'picturesNotCounted', String(c.pictures)));
  if (c.reports > 0) out.push(say(c.reports === 1 ? 'reportNotCounted' : 'reportsNotCounted', String(c.reports)));
  if (c.unreadable > 0)
    out.push(say(c.unreadable === 1 ? 'messageUnreadable' : 'messagesUnreadable', String(c.unreadable)));
  if (c.loaded === 'contradicts') out.push(say('loadedDropped'));
  return out;
}
