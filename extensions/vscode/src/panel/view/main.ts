// Copyright The ctx-lsp authors. MIT licence.

import type { FromPage, PanelState, ToPage } from '../messages';
import { fills } from './bar';
import { curve } from './curve';
import { el } from './dom';
import { speak, word } from './language';
import { accuracy, advice, children, heading, largest, provenance, spent } from './sections';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  setState(state: { session: string }): void;
};

const host = acquireVsCodeApi();
const root = document.getElementById('root') as HTMLElement;

window.addEventListener('message', (event: MessageEvent<ToPage>) => {
  const message = event.data;
  switch (message.type) {
    case 'words':
      speak(message.language, message.words);
      break;
    case 'empty':
      root.replaceChildren(el('p', { class: 'quiet' }, word('empty')));
      break;
    case 'state':
      host.setState({ session: message.reading.session });
      draw(message);
      break;
  }
});

/** Draws everything anew, and leaves the focus where it was. */
function draw(state: PanelState): void {
  const send = (message: FromPage): void => host.postMessage(message);
  const { reading } = state;
  const focused = document.activeElement?.closest('[id]')?.id;
  const inCurve = document.activeElement?.classList.contains('curve') ?? false;
  root.replaceChildren(
    heading(state, send),
    fills(reading),
    curve(state.history),
    ...children(reading.children, send),
    el(
      'div',
      { class: 'columns' },
      largest(state.items),
      el('div', {}, advice(reading), accuracy(reading), spent(reading)),
    ),
    provenance(reading),
  );
  const back = inCurve ? root.querySelector<HTMLElement>('.curve') : focused ? document.getElementById(focused) : null;
  back?.focus({ preventScroll: true });
}

host.postMessage({ type: 'ready' });
