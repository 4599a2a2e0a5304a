// Copyright The ctx-lsp authors. MIT licence.

import type { Settings } from '../settings';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * The surroundings of the badge: the viewport, the page's field with the row around it, the send button in that row,
 * and the reading direction.
 */
export interface Surroundings {
  width: number;
  height: number;
  composer: Box | null;
  send: Box | null;
  rightToLeft: boolean;
}

const margin = 12;
const gap = 6;
/** The height of the bar that pages have at the top. */
const bar = 56;
/** The step of the search along the row of the field. */
const step = 12;
/** The step of a search of the whole window. */
const small = 16;

/**
 * Returns the badge's place: in or next to the row of the field, or in the user's preferred corner; if it would cover a
 * control there, the nearest place where it covers none. A place that the user dragged it to is kept. Returns null if
 * there are controls everywhere.
 */
export function placeFor(
  wanted: Settings['corner'],
  dragged: Settings['dragged'],
  badge: Box,
  around: Surroundings,
  covers: (place: Box) => boolean,
): Box | null {
  const at = (left: number, top: number): Box => ({ left, top, width: badge.width, height: badge.height });
  const room = { x: around.width - badge.width, y: around.height - badge.height };
  if (dragged) return at((room.x * dragged[0]) / 1000, (room.y * dragged[1]) / 1000);
  const corner = (name: string): Box =>
    at(
      name.endsWith('left') ? margin : room.x - margin,
      name.startsWith('top') ? Math.min(bar, room.y) : room.y - margin,
    );
  const corners = order(wanted, around.rightToLeft);
  const places = corners.map(corner);
  const { composer } = around;
  if (wanted === 'field' && composer) {
    const left = around.rightToLeft ? composer.left : composer.left + composer.width - badge.width;
    const inside = Math.max(margin, Math.min(left, room.x - margin));
    places.unshift(at(inside, composer.top + composer.height + gap), at(inside, composer.top - badge.height - gap));
  }
  const isInside = (p: Box): boolean => p.top >= 0 && p.top <= room.y && p.left >= 0 && p.left <= room.x;
  const isClear = (p: Box): boolean => isInside(p) && !covers(p);
  const isFree = (p: Box): boolean => !(composer && meets(p, composer)) && isClear(p);
  const inRow = wanted === 'field' ? rowPlaces(badge, around).find(isClear) : undefined;
  const found = inRow ?? places.find(isFree) ?? nearestFree(corner(corners[0]!), room, isFree);
  // The element of the field's row may fill the window.
  return found ?? places.find(isClear) ?? nearestFree(corner(corners[0]!), room, isClear) ?? null;
}

/** Returns the free place nearest to another one, or undefined. */
function nearestFree(to: Box, room: { x: number; y: number }, isFree: (place: Box) => boolean): Box | undefined {
  const places: (Box & { far: number })[] = [];
  for (let top = 0; top <= room.y; top += small)
    for (let left = 0; left <= room.x; left += small)
      places.push({ ...to, left, top, far: Math.hypot(left - to.left, top - to.top) });
  const found = places.sort((a, b) => a.far - b.far).find(isFree);
  return found && { left: found.left, top: found.top, width: to.width, height: to.height };
}

/** Returns the places in the row of the send button, starting next to the button, against the reading direction. */
function rowPlaces(badge: Box, { composer, send, rightToLeft, height }: Surroundings): Box[] {
  if (!composer || !send || !meets(send, composer) || send.height < badge.height - 4) return [];
  const top = send.top + (send.height - badge.height) / 2;
  if (top < 0 || top + badge.height > height) return [];
  const out: Box[] = [];
  const end = composer.left + composer.width;
  const first = rightToLeft ? send.left + send.width + gap : send.left - gap - badge.width;
  for (
    let left = first;
    left >= composer.left + gap && left + badge.width <= end - gap;
    left += rightToLeft ? step : -step
  )
    out.push({ left, top, width: badge.width, height: badge.height });
  return out;
}

/** Returns the corners in the order in which they are tried. */
function order(wanted: Settings['corner'], rightToLeft: boolean): string[] {
  const [vertical, horizontal] = (wanted === 'field' ? `bottom ${rightToLeft ? 'left' : 'right'}` : wanted).split(' ');
  const other = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };
  const [v, h] = [other[vertical as 'top'], other[horizontal as 'left']];
  return [`${vertical} ${horizontal}`, `${v} ${horizontal}`, `${vertical} ${h}`, `${v} ${h}`];
}

/** Returns where the badge was dropped, in thousandths of the available space, so that it fits into every window. */
export function draggedTo(place: Box, width: number, height: number): [number, number] {
  const part = (at: number, room: number): number =>
    Math.round(1000 * Math.max(0, Math.min(1, at / Math.max(1, room))));
  return [part(place.left, width - place.width), part(place.top, height - place.height)];
}

export function meets(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

const controls =
  'button, a[href], input, select, textarea, summary, [role="button"], [role="switch"], [contenteditable="true"]';

/** The page's controls, with their boxes at the time of the first comparison. */
export class Controls {
  private boxes: { element: Element; box: Box }[] | null = null;

  constructor(private readonly page: Document) {}

  /** Reports whether a control would be covered, wholly or in part, by a badge at this place. */
  covers(place: Box): boolean {
    this.boxes ??= this.inView();
    return this.boxes.some(({ element, box }) => meets(place, box) && this.isHit(element, common(place, box)));
  }

  private inView(): { element: Element; box: Box }[] {
    const view = this.page.defaultView ?? window;
    const screen = { left: 0, top: 0, width: view.innerWidth, height: view.innerHeight };
    return [...this.page.querySelectorAll(controls)]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.height > 0 && meets(box, screen));
  }

  /** Reports whether a pointer can hit an element in this box: pages clip and hide controls in many ways. */
  private isHit(element: Element, { left, top, width, height }: Box): boolean {
    const points = [0.5, 0.1, 0.9].map((at) => [left + at * width, top + at * height] as const);
    return points.some(([x, y]) =>
      this.page.elementsFromPoint(x, y).some((hit) => hit === element || element.contains(hit)),
    );
  }
}

/** Returns the intersection of two boxes. */
function common(a: Box, b: Box): Box {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  const [right, bottom] = [Math.min(a.left + a.width, b.left + b.width), Math.min(a.top + a.height, b.top + b.height)];
  return { left, top, width: right - left, height: bottom - top };
}
