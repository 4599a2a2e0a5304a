// Copyright The ctx-lsp authors. MIT licence.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.jsonl': 'text/plain',
};

/**
 * Serves the built site below a directory, like project pages, with the headers that it asks for. It records requests.
 */
export async function serve(out) {
  const headers = Object.fromEntries(
    readFileSync(join(out, '_headers'), 'utf8')
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => /^ *([^:]+): (.*)$/.exec(line).slice(1)),
  );
  const requests = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const path = normalize(new URL(request.url, 'http://site').pathname.replace(/^\/ctx-lsp\//, '/')).replace(
      /\/$/,
      '/index.html',
    );
    try {
      const body = await readFile(join(out, path));
      response
        .writeHead(200, { ...headers, 'Content-Type': types[extname(path)] ?? 'application/octet-stream' })
        .end(body);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { at: `http://127.0.0.1:${server.address().port}/ctx-lsp/`, requests, close: () => server.close() };
}
