// Copyright The ctx-lsp authors. MIT licence.

// Writes HTTP responses: a document, or a stream of events.
import { randomBytes } from 'node:crypto';

export const newId = () => randomBytes(9).toString('hex');

export function whole(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** How many events of a response that breaks off are sent: all of its reasoning, or half of them. */
const untilBreak = (list) => {
  const reasoned = list.findLastIndex((each) => /thinking|reasoning/.test(JSON.stringify(each).slice(0, 400)));
  return reasoned >= 0 && reasoned < list.length - 2 ? reasoned + 1 : list.length >> 1;
};

export function events(response, list, end = '') {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const sent = response.breaks ? list.slice(0, untilBreak(list)) : list;
  for (const event of sent) {
    response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  }
  if (response.breaks) setTimeout(() => response.destroy(), 300);
  else response.end(end);
}
