// Copyright The ctx-lsp authors. MIT licence.

import type { Settings } from '../settings';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * What the badge is put among: the viewport, the page's field with the row around it, the button in that row which
 * sends, and where lines begin.
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
/** Pages have a bar at the top. */
const bar = 56;
/** By so much the badge goes on along the row of the field, in search of room. */
const step = 24;

/**
 * Where the badge goes: in the row of the field or beside it, or in the corner that the person wants; where it would
 * cover a control there, in the nearest place where it covers none. A place to which it was dragged is the person's own
 * choice.
 */
export function placeFor(
  wanted: Settings['corner'],
  dragged: Settings['dragged'],
  badge: Box,
  around: Surroundings,
  covers: (place: Box) => boolean,
): Box {
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
  const isFree = (p: Box): boolean => p.top >= 0 && p.top <= room.y && !(composer && meets(p, composer)) && !covers(p);
  const inRow = wanted === 'field' ? rowPlaces(badge, around).find((p) => !covers(p)) : undefined;
  return inRow ?? places.find(isFree) ?? corner(corners[0]!);
}

/** The places in the row of the button that sends, from the button on against the direction of reading. */
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

/** The corners in the order in which they are tried. */
function order(wanted: Settings['corner'], rightToLeft: boolean): string[] {
  const [vertical, horizontal] = (wanted === 'field' ? `bottom ${rightToLeft ? 'left' : 'right'}` : wanted).split(' ');
  const other = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };
  const [v, h] = [other[vertical as 'top'], other[horizontal as 'left']];
  return [`${vertical} ${horizontal}`, `${v} ${horizontal}`, `${vertical} ${h}`, `${v} ${h}`];
}

/** Where the badge was left, in thousandths of the room that it has, so that it fits into every window. */
export function draggedTo(place: Box, width: number, height: number): [number, number] {
  const part = (at: number, room: number): number =>
    Math.round(1000 * Math.max(0, Math.min(1, at / Math.max(1, room))));
  return [part(place.left, width - place.width), part(place.top, height - place.height)];
}

function meets(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

const controls = 'button, a[href], input, select, textarea, summary, [role="button"], [contenteditable="true"]';

/** Whether a control of the page is where the badge would be. */
export function coversControl(place: Box, own: Element): boolean {
  for (const x of [2, place.width / 2, place.width - 2])
    for (const y of [2, place.height - 2])
      for (const e of document.elementsFromPoint(place.left + x, place.top + y))
        if (e !== own && e.closest(controls)) return true;
  return false;
}
