// Copyright The ctx-lsp authors. MIT licence.

/**
 * Changes the page into a new drawing, and touches nothing that stays the same. So a selection, the focus, a tooltip
 * and the place of a screen reader stay where they are.
 */
export function patch(old: Element, drawn: Element): void {
  for (const name of old.getAttributeNames()) {
    // What a person has unfolded stays so.
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
  // The page's policy allows no style in an attribute, but the style itself may be changed.
  if (old instanceof HTMLElement && drawn instanceof HTMLElement && old.style.cssText !== drawn.style.cssText) {
    old.style.cssText = drawn.style.cssText;
  }
  patchContent(old, drawn);
}

/** Does the same with the children of an element. */
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

/**
 * Whether one node can be changed into the other: they are of the same kind, and have the same name where they have
 * one.
 */
function alike(a: Node, b: Node): boolean {
  return a.nodeName === b.nodeName && (!(a instanceof Element) || a.id === (b as Element).id);
}
