// Copyright The ctx-lsp authors. MIT licence.

import type { Site, Turn, TurnPlace } from '../adapter/site';

/** Some changes cannot be observed, so the page is searched for turns and names again after this many milliseconds. */
const research = 10_000;
const rename = 5000;

/**
 * The turns in the page, each cached with its element. The page is searched again only after a change that may move,
 * add or remove a turn, so a streamed token costs one turn.
 */
export class Turns {
  private list: TurnPlace[] | null = null;
  private places = new Set<Element>();
  private turns = new WeakMap<Element, Turn>();
  /** Places that have changed since they were read. */
  private readonly changed = new Set<Element>();
  private names = true;
  private searched = 0;
  /** Whether the last reading of the turns searched the page. */
  searchedNow = true;
  private named = 0;

  constructor(
    private readonly site: Site,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Whether the page may have changed the model or the mode since this was last read. */
  get namesChanged(): boolean {
    const now = this.clock();
    const changed = this.names || now - this.named > rename;
    if (changed) [this.names, this.named] = [false, now];
    return changed;
  }

  /** Records a change of the page. */
  touch({ type, target, addedNodes, removedNodes }: MutationRecord): void {
    const element = target.nodeType === 1 ? (target as Element) : target.parentElement;
    if (!element) return;
    let place: Element | null = null;
    for (let e: Element | null = element; e; e = e.parentElement) if (this.places.has(e)) place = e;
    const nodes = type === 'childList' ? [...addedNodes, ...removedNodes].filter(isElement) : [];
    const { site } = this;
    this.names ||= site.namesModel(element) || nodes.some((n) => site.holdsModel(n));
    if (place === null) {
      // Selectors may depend on attributes of elements around a turn.
      const around = type === 'attributes' && [...this.places].some((p) => element.contains(p));
      const moved = type === 'attributes' ? [element] : nodes;
      if (around || moved.some((n) => site.holdsPlace(n))) this.list = null;
    } else if (place === element && type === 'attributes') this.list = null;
    else this.changed.add(place);
  }

  /** Reports whether a node is in one of the places found by the last search. */
  holds(node: Node): boolean {
    for (let n: Node | null = node; n; n = n.parentNode) if (this.places.has(n as Element)) return true;
    return false;
  }

  /** Returns the turns that are in the page now. */
  read(page: Document): Turn[] {
    const { list, site } = this;
    const now = this.clock();
    const stale =
      !list ||
      now - this.searched > research ||
      list.some((p) => !p.element.isConnected) ||
      [...this.changed].some((e) => this.turns.get(e)?.shell !== site.placeAt(e)?.shell);
    this.searchedNow ||= stale;
    if (stale) {
      this.list = site.places(page);
      this.places = new Set(this.list.map((p) => p.element));
      this.turns = new WeakMap();
      this.names = true;
      this.searched = now;
    } else for (const e of this.changed) this.turns.delete(e);
    this.changed.clear();
    return this.list!.map((p) => {
      const old = this.turns.get(p.element);
      if (old) return old;
      const made = site.turn(p);
      this.turns.set(p.element, made);
      return made;
    });
  }
}

const isElement = (node: Node): node is Element => node.nodeType === 1;
