// Copyright The ctx-lsp authors. MIT licence.

// Writes HTTP responses: a document, or a stream of events.
import { randomBytes } from 'node:crypto';

export const newId = () => randomBytes(9).toString('hex');

export function whole(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

export function events(response, list, end = '') {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of list) {
    response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(end);
}
