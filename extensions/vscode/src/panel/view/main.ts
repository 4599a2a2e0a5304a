// Copyright The ctx-lsp authors. MIT licence.

// The script of the panel's page. It draws what the extension sends, and reports which button was pressed.

import { type FromPage, type PanelAct, type PanelEmpty, type PanelState, panelActs, type ToPage } from '../messages';
import { Curve } from './curve';
import { el } from './dom';
import { setLanguage, word } from './language';
import { patchContent } from './patch';
import { contents, drawn, heading, offer } from './sections';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  setState(state: { session: string }): void;
};

const host = acquireVsCodeApi();
const root = document.getElementById('root') as HTMLElement;
const curve = new Curve(root);
let session = '';

window.addEventListener('message', (event: MessageEvent<ToPage>) => {
  const message = event.data;
  switch (message.type) {
    case 'words':
      setLanguage(message.language, message.words);
      break;
    case 'empty':
      patchContent(root, drawEmpty(message));
      break;
    case 'state':
      if (message.session !== session) {
        session = message.session;
        host.setState({ session });
        curve.reset();
      }
      patchContent(root, draw(message));
      curve.mark();
      break;
  }
});

root.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('button');
  const { act, way, fetch, session: child, place } = button?.dataset ?? {};
  if (act !== undefined && (panelActs as readonly string[]).includes(act)) {
    host.postMessage({ type: 'act', act: act as PanelAct });
  } else if (way !== undefined) {
    host.postMessage({ type: 'way', way });
  } else if (fetch !== undefined) {
    host.postMessage({ type: 'offer', fetch: fetch === 'true' });
  } else if (child !== undefined) {
    host.postMessage({ type: 'session', session: child });
  } else if (place !== undefined) {
    host.postMessage({ type: 'place', place: Number(place) });
  }
});

function draw(state: PanelState): HTMLElement {
  const sections = (...ids: string[]): HTMLElement[] => ids.flatMap((id) => drawn(state, id));
  return el(
    'div',
    {},
    heading(state),
    ...sections('warnings'),
    el(
      'div',
      { class: 'columns' },
      el('div', {}, contents(state), ...sections('largest')),
      el(
        'div',
        {},
        ...sections('advice', 'cache', 'servers', 'children', 'nearby', 'documents'),
        ...offer(state.offer),
      ),
    ),
    curve.draw(state.history),
    ...sections('compaction', 'numbers'),
  );
}

function drawEmpty({ sentence, ways }: PanelEmpty): HTMLElement {
  return el(
    'div',
    {},
    el('h1', { id: 'empty' }, word('title')),
    el('p', { class: 'absence' }, sentence),
    el(
      'div',
      { class: 'actions' },
      ...ways.map(({ way, title }) => el('button', { type: 'button', id: `way-${way}`, 'data-way': way }, title)),
    ),
  );
}

host.postMessage({ type: 'ready' });
