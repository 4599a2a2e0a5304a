// Copyright The ctx-lsp authors. MIT licence.

import type { Naming } from './data';

/** Returns the registry's id of a model by a name of the site; null if no pattern of the site matches the name. */
export function modelNamed(names: readonly Naming[], name: string): string | null {
  for (const { pattern, model } of names) {
    const m = new RegExp(pattern, 'i').exec(name.slice(0, 200));
    if (m)
      return model
        .replace(/\$(\d)/g, (_, n) => m[Number(n)] ?? '')
        .trim()
        .toLowerCase()
        .replace(/\s+/g, '-');
  }
  return null;
}
