// Copyright The ctx-lsp authors. MIT licence.

/** Scrolls an element into view and outlines it for a moment; returns false if it is null. */
export function scrolledTo(element: Element | null): boolean {
  if (!element) return false;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' });
  const [bright, none] = ['#4493f8', '#4493f800'].map((colour) => ({ outline: `3px solid ${colour}` }));
  element.animate([bright!, bright!, none!], { duration: 1500 });
  return true;
}
