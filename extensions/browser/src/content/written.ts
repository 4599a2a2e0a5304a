// Copyright The ctx-lsp authors. MIT licence.

/**
 * Converts a message that a page has rendered back to its Markdown source, which is what the model received or wrote.
 * The plain text of such an element lacks all markup and paragraph breaks, and contains each formula twice.
 */
export function written(element: Element, without = '', by: Marks = { lines: '', tracking: [] }): string {
  const skipped = new Set<Node>(without === '' ? [] : element.querySelectorAll(without));
  return join(inside(element, { ...by, has: (node) => skipped.has(node) }));
}

/** How a site changes written text: the selector of paragraphs that were single lines, and additions to addresses. */
export interface Marks {
  lines: string;
  tracking: readonly RegExp[];
}

/** A part of a text, and the minimum number of line breaks before and after it. */
interface Piece {
  text: string;
  apart: number;
}

/** Reports which elements the page has added to the written text. */
interface Skipped extends Marks {
  has(node: Node): boolean;
}

const lines =
  'ADDRESS,ARTICLE,ASIDE,DD,DETAILS,DIV,DT,FIELDSET,FIGCAPTION,FOOTER,FORM,HEADER,LI,MAIN,NAV,SECTION,SUMMARY';
const isLine = new Set(lines.split(','));
/** Any other element is a line of its own if it contains one of these. */
const blocks = `${lines},P,UL,OL,DL,PRE,TABLE,BLOCKQUOTE,HR,FIGURE,H1,H2,H3,H4,H5,H6,.katex-display`;
const never = new Set('AUDIO,BUTTON,CANVAS,IFRAME,IMG,NOSCRIPT,SCRIPT,SELECT,STYLE,SVG,TEMPLATE,VIDEO'.split(','));
const marks: Record<string, string> = { STRONG: '**', B: '**', EM: '*', I: '*', DEL: '~~', S: '~~' };

const isElement = (node: Node): node is Element => node.nodeType === 1;
const isText = (node: Node): boolean => node.nodeType === 3;
const tagOf = (element: Element): string => element.tagName.toUpperCase();
const paragraph = (text: string): Piece[] => [{ text, apart: 2 }];

/** Joins pieces; of the breaks that two neighbors require, the larger number applies. */
function join(pieces: Piece[]): string {
  return pieces.reduce(
    (out, piece, i) => out + (i ? '\n'.repeat(Math.max(pieces[i - 1]!.apart, piece.apart)) : '') + piece.text,
    '',
  );
}

/** Returns the content of an element: its blocks, and the text between them as separate lines. */
function inside(parent: Element, skipped: Skipped): Piece[] {
  const out: Piece[] = [];
  let line = '';
  const endLine = (): void => {
    // The source has line breaks and spaces around blocks that are not visible.
    const text = line.replace(/^\s*\n\s*/, '').replace(/\s*\n\s*$/, '');
    if (text.trim() !== '') out.push({ text, apart: 1 });
    line = '';
  };
  for (const node of parent.childNodes) {
    const block = isElement(node) && !skipped.has(node) ? blockOf(node, skipped) : null;
    if (block) {
      endLine();
      out.push(...block.filter((piece) => piece.text !== ''));
    } else line += inlineOf(node, skipped);
  }
  endLine();
  return out;
}

/** Returns the pieces of a block element; null for an inline element. */
function blockOf(element: Element, skipped: Skipped): Piece[] | null {
  const tag = tagOf(element);
  if (never.has(tag)) return null;
  const formula = displayed(element);
  if (formula !== null) return paragraph(`$$\n${formula}\n$$`);
  switch (tag) {
    case 'PRE':
      return paragraph(code(element, skipped));
    case 'UL':
    case 'OL':
      return paragraph(list(element, skipped));
    case 'TABLE':
      return paragraph(table(element, skipped));
    case 'BLOCKQUOTE':
      return paragraph(join(inside(element, skipped)).replace(/^/gm, '> '));
    case 'HR':
      return paragraph('---');
    case 'P':
    case 'DL':
    case 'FIGURE':
      return [
        { text: join(inside(element, skipped)), apart: skipped.lines !== '' && element.matches(skipped.lines) ? 1 : 2 },
      ];
  }
  if (/^H[1-6]$/.test(tag)) return paragraph(`${'#'.repeat(Number(tag[1]))} ${join(inside(element, skipped))}`);
  if (!isLine.has(tag) && !element.querySelector(blocks)) return null;
  const pieces = inside(element, skipped);
  return isHeaded(pieces, element) ? pieces.slice(1) : pieces;
}

/** Reports whether a box contains a code block below a heading with the name of its language. */
function isHeaded(pieces: Piece[], element: Element): boolean {
  const [head, body] = pieces;
  return (
    pieces.length === 2 &&
    body!.text.startsWith('```') &&
    languageIn(head!.text) !== '' &&
    !element.querySelector(':scope > p')
  );
}

const languageIn = (text: string): string => /^\s*([\w+#.-]{1,20})\s*$/.exec(text)?.[1]?.toLowerCase() ?? '';

/** Returns a code block between fences, with its language. */
function code(pre: Element, skipped: Skipped): string {
  const bodies = pre.querySelectorAll('.cm-content, code');
  const body = bodies.length === 1 ? bodies[0]! : pre;
  const named = /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(`${body.className} ${pre.className}`);
  const language = named?.[1] ?? above(body, pre, skipped);
  const text = verbatim(body, skipped).replace(/\n$/, '');
  const runs = [...text.matchAll(/^\s*(`{3,})/gm)].map((run) => run[1]!.length + 1);
  const fence = '`'.repeat(Math.max(3, ...runs));
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Returns the code's language as the page names it above the code, inside or around its frame; empty if it does not.
 */
function above(body: Element, pre: Element, skipped: Skipped): string {
  let outside = 0;
  for (let at = body; at.parentElement && outside < 3; at = at.parentElement) {
    if (at === pre || outside > 0) outside++;
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
      const text = skipped.has(before) ? '' : join(inside(before, skipped));
      if (text !== '') return headings.includes(tagOf(before)) ? languageIn(text) : '';
    }
    if (at.nextElementSibling && outside > 0) return '';
  }
  return '';
}

const headings = ['DIV', 'SPAN', 'HEADER'];

/** Returns the text of code: all of its characters, and a break between elements that are lines. */
function verbatim(parent: Element, skipped: Skipped): string {
  let out = '';
  for (const node of parent.childNodes) {
    if (isText(node)) out += node.nodeValue;
    if (!isElement(node) || skipped.has(node)) continue;
    if (tagOf(node) === 'BR') out += '\n';
    else if (!isLine.has(tagOf(node))) out += verbatim(node, skipped);
    else out += (out === '' || out.endsWith('\n') ? '' : '\n') + verbatim(node, skipped).replace(/\n?$/, '\n');
  }
  return out;
}

/** Returns the items of a list, each with its marker, and with further lines indented to its text. */
function list(element: Element, skipped: Skipped): string {
  const items = [...element.children].filter((child) => tagOf(child) === 'LI' && !skipped.has(child));
  const loose = items.some((item) => item.querySelector(':scope > p'));
  let n = Number(element.getAttribute('start') ?? 1);
  return join(
    items.map((item) => {
      const mark = tagOf(element) === 'OL' ? `${n++}. ` : '- ';
      const pieces = inside(item, skipped).map((p) => (loose ? p : { ...p, apart: 1 }));
      const text = join(pieces).replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
      return { text: mark + text, apart: loose ? 2 : 1 };
    }),
  );
}

/** Returns the rows of a table, with cells between bars, and the line below its head. */
function table(element: Element, skipped: Skipped): string {
  const rows = [...element.querySelectorAll('tr')].filter((row) => row.closest('table') === element);
  const out = rows.map((row) => {
    const cells = [...row.children].map((cell) => join(inside(cell, skipped)));
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', '<br>')).join(' | ')} |`;
  });
  if (rows[0]) out.splice(1, 0, `|${[...rows[0].children].map(belowHead).join('|')}|`);
  return out.join('\n');
}

function belowHead(cell: Element): string {
  const align = cell.getAttribute('align') ?? (cell as HTMLElement).style.textAlign;
  return { left: ':---', center: ':---:', right: '---:' }[align] ?? '---';
}

/** Returns inline text with its markup. */
function inlineOf(node: Node, skipped: Skipped): string {
  if (isText(node)) {
    const text = node.nodeValue ?? '';
    // Renderers put a line break of the source after each <br>.
    return node.previousSibling?.nodeName === 'BR' ? text.replace(/^\n/, '') : text;
  }
  if (!isElement(node) || skipped.has(node)) return '';
  const tag = tagOf(node);
  if (never.has(tag)) return '';
  if (tag === 'BR') return '\n';
  if (tag === 'TEXTAREA') return (node as HTMLTextAreaElement).value;
  if (tag === 'INPUT') return (node as HTMLInputElement).type === 'checkbox' ? ticked(node as HTMLInputElement) : '';
  if (tag === 'CODE') return `${around(node.textContent ?? '')}`;
  const formula = tex(node);
  if (formula !== null) return `$${formula}$`;
  let text = '';
  for (const child of node.childNodes) text += inlineOf(child, skipped);
  if (tag === 'A') return link(node, text, skipped.tracking);
  const mark = marks[tag];
  return mark && text.trim() !== '' ? text.replace(/\S[\s\S]*\S|\S/, (marked) => mark + marked + mark) : text;
}

/** Returns a task list checkbox; the space after it is part of the text. */
const ticked = (input: HTMLInputElement): string => (input.checked ? '[x]' : '[ ]');

/** Returns inline code between more backquotes than it contains. */
function around(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map((run) => run[0].length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return /^`|`$/.test(text) ? `${fence} ${text} ${fence}` : fence + text + fence;
}

/** Returns a link. If its text is the address itself, only the text is returned. */
function link(element: Element, text: string, tracking: readonly RegExp[]): string {
  const address = tracking
    .reduce((href, added) => href.replace(added, ''), element.getAttribute('href') ?? '')
    .replace(/%5C|(%[89A-F][\dA-F])+/gi, unescaped);
  const itself = /^(https?|mailto):/.test(address) && bare(address) === bare(text);
  return address === '' || text.trim() === '' || itself ? text : `[${text}](${address})`;
}

const bare = (address: string): string => address.replace(/^(mailto:|https?:\/\/)/, '').replace(/\/$/, '');

/** Decodes characters in an address that renderers have to escape. */
function unescaped(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

/** Returns the source of an inline formula; null for any other element. */
function tex(element: Element): string | null {
  if (element.hasAttribute('data-math')) return element.getAttribute('data-math');
  if (!element.matches('.katex, mjx-container, math')) return null;
  const source = element.querySelector('annotation[encoding="application/x-tex"]');
  return source ? (source.textContent ?? '').trim() : null;
}

/** Returns the source of a displayed formula; null for any other element. */
function displayed(element: Element): string | null {
  if (element.matches('.math-block[data-math]')) return element.getAttribute('data-math');
  if (!element.matches('.katex-display, math[display=block]')) return null;
  return tex(element.querySelector('.katex') ?? element);
}
