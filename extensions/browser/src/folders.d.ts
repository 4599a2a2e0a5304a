// Copyright The ctx-lsp authors. MIT licence.

// Modules that the build generates from all files of a directory; see folders.mjs.

declare module 'folder:sites' {
  export const all: Readonly<Record<string, import('./adapter/data').SiteData>>;
}

declare module 'folder:shapes' {
  type Read = (body: string, named: Record<string, string>) => import('./traffic/loaded').Facts;
  export const all: Readonly<Record<string, Read>>;
}
