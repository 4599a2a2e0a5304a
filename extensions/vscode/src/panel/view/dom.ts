// Copyright The ctx-lsp authors. MIT licence.

/** Builds an element. Content is never parsed as HTML, so text stays text. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...content);
  return element;
}

/** Builds an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...content: Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...content);
  return element;
}

/** Builds a section with a heading, which is also its name for screen readers. */
export function section(id: string, title: string, ...content: (Node | string)[]): HTMLElement {
  return el('section', { id, 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title` }, title), ...content);
}

/** Builds a section that is collapsed until the user opens it. */
export function folded(id: string, title: string, ...content: (Node | string)[]): HTMLElement {
  const heading = el('h2', { id: `${id}-title` }, title);
  return el(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    el('details', {}, el('summary', {}, heading), ...content),
  );
}

/**
 * Builds a table. All cells except the first of each row are numbers. A table of two columns needs no head if its
 * heading describes them.
 */
export function table(head: string[] | null, rows: (Node | string)[][]): HTMLTableElement {
  return el(
    'table',
    {},
    ...(head ? [el('thead', {}, el('tr', {}, ...head.map((h) => el('th', { scope: 'col' }, h))))] : []),
    el('tbody', {}, ...rows.map((cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, cell))))),
  );
}
