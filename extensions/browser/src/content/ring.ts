// Copyright The ctx-lsp authors. MIT licence.

const svg = 'http://www.w3.org/2000/svg';

/**
 * The ring in front of the number. Its circumference is 100, so the length of the drawn part is the percentage itself.
 */
export class Ring {
  readonly element = document.createElementNS(svg, 'svg');
  private readonly part = document.createElementNS(svg, 'circle');

  constructor() {
    this.element.setAttribute('viewBox', '0 0 40 40');
    this.element.setAttribute('class', 'ring');
    this.element.setAttribute('aria-hidden', 'true');
    for (const [circle, name] of [
      [document.createElementNS(svg, 'circle'), 'rest'],
      [this.part, 'part'],
    ] as const) {
      for (const [key, value] of Object.entries({ cx: '20', cy: '20', r: '15.9155', class: name }))
        circle.setAttribute(key, value);
      this.element.append(circle);
    }
  }

  /** Draws a percentage, or hides the ring if it is null. */
  draw(share: number | null): void {
    this.element.style.display = share === null ? 'none' : '';
    this.part.setAttribute('stroke-dasharray', `${Math.min(100, share ?? 0)} 100`);
  }
}
