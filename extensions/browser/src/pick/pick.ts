// Copyright The ctx-lsp authors. MIT licence.

import type { Request } from '../messages';
import { fieldOf, selectorsOf } from './selectors';
import { pickStyle } from './style';

const say = (key: string, ...args: string[]): string => chrome.i18n.getMessage(key, args) || key;

/** Events that go to the picker instead of the page while it is open. */
const taken = ['click', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'dblclick', 'auxclick', 'contextmenu'];

/**
 * Lets the user point at a page: one click on a message of theirs, another on an answer. All matching messages are
 * outlined before the selectors are stored. It is injected only on request and removes itself completely.
 */
class Picker {
  private readonly host = document.createElement('ctx-lsp-pick');
  private readonly words = document.createElement('p');
  private readonly buttons = document.createElement('div');
  private readonly marks = document.createElement('div');
  private readonly over = new AbortController();
  private mine: Element | null = null;
  private step: 'mine' | 'answer' | 'confirm' = 'mine';
  private outlined: [Element, string][] = [];

  constructor() {
    const root = this.host.attachShadow({ mode: 'closed' });
    const sheet = document.createElement('style');
    sheet.textContent = pickStyle;
    const bar = document.createElement('div');
    bar.className = 'bar';
    bar.setAttribute('role', 'dialog');
    bar.setAttribute('aria-label', say('pickTitle'));
    bar.lang = say('language');
    bar.dir = say('direction');
    this.words.setAttribute('role', 'status');
    bar.append(this.words, this.buttons);
    root.append(sheet, this.marks, bar);
    document.documentElement.append(this.host);
    const { signal } = this.over;
    for (const type of taken) window.addEventListener(type, (e) => this.take(e), { capture: true, signal });
    window.addEventListener('pointermove', (e) => this.hover(e), { capture: true, passive: true, signal });
    window.addEventListener('keydown', (e) => this.key(e), { capture: true, signal });
    // Events in the picker itself, including the click that closes it, are hidden from the page.
    for (const type of [...taken, 'keydown', 'keyup', 'keypress'])
      this.host.addEventListener(type, (e) => e.stopPropagation());
    for (const type of ['scroll', 'resize'])
      window.addEventListener(type, () => this.draw(), { capture: true, passive: true, signal });
    this.begin();
  }

  private begin(): void {
    this.mine = null;
    this.step = 'mine';
    this.show('pickMine', [['pickCancel', () => this.end()]]);
  }

  private take(e: Event): void {
    if (e.composedPath().includes(this.host)) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    const element = e.composedPath()[0];
    if (e.type !== 'click' || !(element instanceof Element) || element === document.documentElement) return;
    if (this.step === 'mine') {
      this.mine = element;
      this.step = 'answer';
      this.show('pickAnswer', [
        ['pickAgain', () => this.begin()],
        ['pickCancel', () => this.end()],
      ]);
      this.outline([[element, 'mine']]);
    } else if (this.step === 'answer') this.found(element);
  }

  private found(answer: Element): void {
    const found = this.mine && selectorsOf(this.mine, answer);
    if (!found) {
      this.begin();
      this.words.textContent = say('pickAlike');
      return;
    }
    this.step = 'confirm';
    const { user, assistant } = found;
    const [asked, answered] = [user, assistant].map((s) => [...document.querySelectorAll(s)]) as [Element[], Element[]];
    this.show('pickFound', [
      ['pickKeep', () => this.keep({ user, assistant, draft: fieldOf(document) })],
      ['pickAgain', () => this.begin()],
      ['pickCancel', () => this.end()],
    ]);
    this.words.textContent = say('pickFound', String(asked.length), String(answered.length));
    this.buttons.querySelector('button')?.focus();
    this.outline([
      ...asked.map((e): [Element, string] => [e, 'mine']),
      ...answered.map((e): [Element, string] => [e, 'answer']),
    ]);
  }

  private keep(pointed: { user: string; assistant: string; draft: string }): void {
    void chrome.runtime.sendMessage({ type: 'pointed', ...pointed } satisfies Request).catch(() => {});
    this.end();
  }

  private end(): void {
    this.over.abort();
    this.host.remove();
  }

  private show(key: string, actions: [string, () => void][]): void {
    this.words.textContent = say(key);
    this.outline([]);
    this.buttons.replaceChildren(
      ...actions.map(([name, action]) => {
        const button = document.createElement('button');
        button.textContent = say(name);
        button.addEventListener('click', action);
        return button;
      }),
    );
  }

  private hover(e: PointerEvent): void {
    if (this.step === 'confirm') return;
    const element = e.composedPath()[0];
    const here = element instanceof Element && !e.composedPath().includes(this.host) ? element : null;
    const mine: [Element, string][] = this.mine ? [[this.mine, 'mine']] : [];
    this.outline([...mine, ...(here ? [[here, this.step] as [Element, string]] : [])]);
  }

  private key(e: KeyboardEvent): void {
    if (e.key !== 'Escape') return;
    e.preventDefault();
    e.stopImmediatePropagation();
    this.end();
  }

  private outline(elements: [Element, string][]): void {
    this.outlined = elements.slice(0, 400);
    this.draw();
  }

  private draw(): void {
    this.marks.replaceChildren(
      ...this.outlined.map(([element, side]) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const mark = document.createElement('i');
        mark.className = side;
        Object.assign(mark.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
        return mark;
      }),
    );
  }
}

document.querySelector('ctx-lsp-pick')?.remove();
new Picker();
