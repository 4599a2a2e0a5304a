// Copyright The ctx-lsp authors. MIT licence.

import { all } from 'folder:shapes';
import type { Endpoint } from '../adapter/data';
import type { Facts } from './loaded';

/** The names of the response shapes that endpoints refer to, one file each. */
export const shapes: readonly string[] = Object.keys(all);

/** Reads a response in the shape of its endpoint. A response of any other shape yields nothing. */
export function read(endpoint: Endpoint, body: string, named: Record<string, string> = {}): Facts {
  try {
    return all[endpoint.reads]?.(body, named) ?? { conversation: null };
  } catch {
    return { conversation: null };
  }
}
