// Copyright The ctx-lsp authors. MIT licence.

/**
 * Updates the page to a new drawing, and touches nothing that stays the same. So a selection, the focus, a tooltip and
 * the position of a screen reader stay.
 */
export function patch(old: Element, drawn: Element): void {
  for (const name of old.getAttributeNames()) {
    // Sections that the user has opened stay open.
    if (!drawn.hasAttribute(name) && !(name === 'open' && old.nodeName === 'DETAILS')) {
      old.removeAttribute(name);
    }
  }
  for (const name of drawn.getAttributeNames()) {
    const value = drawn.getAttribute(name) ?? '';
    if (name !== 'style' && old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  // The page's policy forbids style attributes, but scripts may change the style itself.
  if (old instanceof HTMLElement && drawn instanceof HTMLElement && old.style.cssText !== drawn.style.cssText) {
    old.style.cssText = drawn.style.cssText;
  }
  patchContent(old, drawn);
}

/** Updates the children of an element in the same way. */
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

/** Reports whether one node can be updated to the other: both have the same kind and, for elements, the same id. */
function alike(a: Node, b: Node): boolean {
  return a.nodeName === b.nodeName && (!(a instanceof Element) || a.id === (b as Element).id);
}
