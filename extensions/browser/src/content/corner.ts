// Copyright The ctx-lsp authors. MIT licence.

import type { Settings } from '../settings';

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const margin = 12;
const below = 44;

/** The corner that is wanted if the badge fits there beside what is taken, or else the nearest one in which it fits. */
export function freeCorner(
  wanted: Settings['corner'],
  badge: Box,
  taken: Box,
  width: number,
  height: number,
): Settings['corner'] {
  const [vertical, horizontal] = wanted.split(' ') as ['top' | 'bottom', 'left' | 'right'];
  const other = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const;
  const order = [
    wanted,
    `${other[vertical]} ${horizontal}`,
    `${vertical} ${other[horizontal]}`,
    `${other[vertical]} ${other[horizontal]}`,
  ] as Settings['corner'][];
  return order.find((corner) => !meets(at(corner, badge, width, height), taken)) ?? wanted;
}

function at(corner: Settings['corner'], badge: Box, width: number, height: number): Box {
  return {
    left: corner.endsWith('left') ? margin : width - margin - badge.width,
    top: corner.startsWith('top') ? below + margin : height - margin - badge.height,
    width: badge.width,
    height: badge.height,
  };
}

function meets(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}
