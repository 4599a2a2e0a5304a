// Copyright The ctx-lsp authors. MIT licence.

/**
 * Makes what is on the page say what a new drawing says, and touches nothing that is the same: a selection, the
 * focus, a tooltip and the place of a screen reader stay where they were.
 */
export function patch(old: Element, drawn: Element): void {
  for (const name of old.getAttributeNames()) {
    if (!drawn.hasAttribute(name)) {
      old.removeAttribute(name);
    }
  }
  for (const name of drawn.getAttributeNames()) {
    const value = drawn.getAttribute(name) ?? '';
    if (name !== 'style' && old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  // The page's policy lets no attribute bring a style; the style itself may be changed.
  if (old instanceof HTMLElement && drawn instanceof HTMLElement && old.style.cssText !== drawn.style.cssText) {
    old.style.cssText = drawn.style.cssText;
  }
  patchContent(old, drawn);
}

/** The same for what is inside an element. */
export function patchContent(old: Element, drawn: Element): void {
  const wanted = [...drawn.childNodes];
  for (const [i, node] of wanted.entries()) {
    const now = old.childNodes[i];
    if (now === undefined) {
      old.append(node);
    } else if (!alike(now, node)) {
      now.replaceWith(node);
    } else if (now instanceof Element) {
      patch(now, node as Element);
    } else if (now.nodeValue !== node.nodeValue) {
      now.nodeValue = node.nodeValue;
    }
  }
  while (old.childNodes.length > wanted.length) {
    old.lastChild?.remove();
  }
}

/** Whether one node can become the other: the same kind of thing, with the same name where it has one. */
function alike(a: Node, b: Node): boolean {
  return a.nodeName === b.nodeName && (!(a instanceof Element) || a.id === (b as Element).id);
}
