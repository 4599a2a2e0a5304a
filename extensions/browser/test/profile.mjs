// Copyright The ctx-lsp authors. MIT licence.

/** Milliseconds of a profile in functions that match, with all they call. */
export function spentIn(profile, matches) {
  const inside = insideOf(profile, matches);
  return profile.samples.reduce((sum, id, i) => sum + (inside.has(id) ? profile.timeDeltas[i] : 0), 0) / 1000;
}

/** The nodes of functions that match, and of all that they call. */
function insideOf(profile, matches) {
  const inside = new Set(profile.nodes.filter(matches).map((n) => n.id));
  for (let grew = true; grew; ) {
    grew = false;
    for (const n of profile.nodes)
      if (inside.has(n.id))
        for (const c of n.children ?? [])
          if (!inside.has(c)) {
            inside.add(c);
            grew = true;
          }
  }
  return inside;
}

/** The functions in which that time was spent itself, in milliseconds, the longest first. */
export function longestIn(profile, matches) {
  const own = new Map();
  const inside = insideOf(profile, matches);
  const byId = new Map(profile.nodes.map((n) => [n.id, n]));
  for (const [i, id] of profile.samples.entries()) {
    const n = byId.get(id);
    if (!inside.has(id)) continue;
    const { functionName, lineNumber, columnNumber } = n.callFrame;
    const name = `${functionName} ${lineNumber}:${columnNumber}`;
    own.set(name, (own.get(name) ?? 0) + profile.timeDeltas[i] / 1000);
  }
  return [...own].sort((a, b) => b[1] - a[1]);
}
