// Copyright The ctx-lsp authors. MIT licence.

/**
 * The position of the page's turns within their scroll container, as far as it shows whether some turns are missing.
 */
export interface Extent {
  /** Whether everything fits, so that nothing can be scrolled. */
  fits: boolean;
  /** Whether the page is scrolled to its top, with the first turn in view and nothing above it still loading. */
  top: boolean;
  /** Whether the page is scrolled to its end, with the last turn in view. */
  bottom: boolean;
  /** Whether there is more than a screen of empty space above the first turn, or a button that loads earlier ones. */
  above: boolean;
  /** Whether there is more empty space below the last turn than a page leaves for the next answer. */
  below: boolean;
}

/** A page leaves up to a screen below the last turn, so that a new question can be at the top. */
const roomForAnAnswer = 1.5;

/** How many siblings of a turn are checked on each level. */
const neighbours = 20;

const loads =
  '[role="progressbar"], [aria-busy="true"], progress, [class*="spinner" i], [class*="skeleton" i], [class*="loading" i]';
const pictures = 'img, svg, canvas, video, iframe';
const earlier =
  /\b(?:earlier|older|previous|load more|show more)\b|früher|älter|mehr (?:laden|anzeigen)|précédent|anterior|更早|更多|历史|以前|이전/i;

/** The tolerance for a scroll position at an edge, in pixels: pages are zoomed. */
const near = 4;

/**
 * Returns the extent of the turns from first to last; null if the browser has not laid them out. This forces a layout.
 */
export function extentOf(first: Element, last: Element): Extent | null {
  const [a, z] = [first.getBoundingClientRect(), last.getBoundingClientRect()];
  if (a.width === 0 && a.height === 0 && z.height === 0) return null;
  const scroller = scrollerOf(first);
  const { top, height } = viewOf(scroller);
  const over = scroller.scrollHeight - scroller.clientHeight;
  const reversed = getComputedStyle(scroller).flexDirection === 'column-reverse';
  const above = reversed ? over + scroller.scrollTop : scroller.scrollTop;
  const begin = top - above;
  const end = begin + scroller.scrollHeight;
  const before = beside(first, scroller, 'previousElementSibling');
  const after = beside(last, scroller, 'nextElementSibling');
  const filledTo = Math.max(begin, ...before.filled.map((r) => Math.min(r.bottom, a.top)));
  const filledFrom = Math.min(end, ...after.filled.map((r) => Math.max(r.top, z.bottom)));
  return {
    fits: over <= near,
    top: above <= near && a.top < top + height && !before.loads,
    bottom: over - above <= near && z.bottom > top && z.bottom <= top + height + near,
    above: before.button || a.top - filledTo > height,
    below: filledFrom - z.bottom > roomForAnAnswer * height,
  };
}

/** Returns the nearest scroll container around an element, or the page itself. */
function scrollerOf(element: Element): Element {
  const page = document.scrollingElement ?? document.documentElement;
  for (let e = element.parentElement; e && e !== page && e !== document.body; e = e.parentElement) {
    if (e.scrollHeight > e.clientHeight + near && /auto|scroll|overlay/.test(getComputedStyle(e).overflowY)) return e;
  }
  return page;
}

function viewOf(scroller: Element): { top: number; height: number } {
  if (scroller === (document.scrollingElement ?? document.documentElement)) return { top: 0, height: innerHeight };
  return { top: scroller.getBoundingClientRect().top + scroller.clientTop, height: scroller.clientHeight };
}

/** Returns what precedes or follows an element inside its scroll container. */
function beside(
  element: Element,
  scroller: Element,
  next: 'previousElementSibling' | 'nextElementSibling',
): { filled: DOMRect[]; loads: boolean; button: boolean } {
  const out: { filled: DOMRect[]; loads: boolean; button: boolean } = { filled: [], loads: false, button: false };
  for (let at: Element | null = element; at && at !== scroller; at = at.parentElement) {
    let e = at[next];
    for (let n = 0; e && n < neighbours; n++, e = e[next]) {
      if (/^(?:SCRIPT|STYLE|TEMPLATE|CTX-LSP-BADGE)$/.test(e.tagName)) continue;
      const box = e.getBoundingClientRect();
      if (box.height === 0 && e.childElementCount === 0) continue;
      const all = [e, ...e.querySelectorAll('button, a, [role="button"]')].slice(0, neighbours);
      out.loads ||= e.matches(loads) || e.querySelector(loads) !== null;
      out.button ||= all.some((b) => b.matches('button, a, [role="button"]') && earlier.test(nameOf(b)));
      // An element that stays in view while the page scrolls takes up no space in it.
      if (/fixed|sticky/.test(getComputedStyle(e).position)) continue;
      if (e.textContent?.trim() || e.matches(pictures) || e.querySelector(pictures)) out.filled.push(box);
    }
  }
  return out;
}

const nameOf = (e: Element): string => `${e.getAttribute('aria-label') ?? ''} ${e.textContent ?? ''}`.slice(0, 80);
