// Copyright The ctx-lsp authors. MIT licence.

/**
 * Reports whether one path is the other or is inside it. Paths are compared as the daemon writes them, with either
 * separator.
 */
export function isInside(file: string, folder: string): boolean {
  const f = normal(file);
  const d = normal(folder);
  return f === d || f.startsWith(d === '/' ? d : `${d}/`);
}

/** Reports whether a session in `workspace` belongs to a window with `folder`: one must contain the other. */
export function belongs(workspace: string, folder: string): boolean {
  return workspace !== '' && (isInside(workspace, folder) || isInside(folder, workspace));
}

function normal(p: string): string {
  const slashed = p.replaceAll('\\', '/');
  const drive = /^[A-Z]:/.test(slashed) ? slashed.charAt(0).toLowerCase() + slashed.slice(1) : slashed;
  return drive.length > 1 && drive.endsWith('/') ? drive.slice(0, -1) : drive;
}
