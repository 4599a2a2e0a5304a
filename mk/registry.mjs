// Copyright The ctx-lsp authors. MIT licence.

// A registry of npm that has the packages of a folder and nothing else: `node mk/registry.mjs dist`. So npm's own
// commands can be tried with what is not published yet.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = process.argv[2];
const packages = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
  const body = readFileSync(path.join(folder, file));
  const manifest = JSON.parse(inArchive(gunzipSync(body), 'package/package.json'));
  packages.set(manifest.name, { file, body, manifest });
}

/** The text of a file in an archive of tar. */
function inArchive(tar, wanted) {
  for (let at = 0; at < tar.length; ) {
    const field = (from, length) => tar.toString('utf8', at + from, at + from + length).split('\0')[0];
    const size = Number.parseInt(field(124, 12), 8) || 0;
    if (field(0, 100) === wanted) {
      return tar.toString('utf8', at + 512, at + 512 + size);
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`there is no ${wanted}`);
}

const server = createServer((request, response) => {
  const address = `http://127.0.0.1:${server.address().port}`;
  const wanted = decodeURIComponent(new URL(request.url, address).pathname.slice(1));
  const archive = [...packages.values()].find((p) => `-/${p.file}` === wanted);
  if (archive) {
    response.end(archive.body);
    return;
  }
  const found = packages.get(wanted);
  if (!found) {
    response.writeHead(404).end('{}');
    return;
  }
  const { version } = found.manifest;
  const integrity = `sha512-${createHash('sha512').update(found.body).digest('base64')}`;
  const entry = { ...found.manifest, dist: { tarball: `${address}/-/${found.file}`, integrity } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ name: wanted, 'dist-tags': { latest: version }, versions: { [version]: entry } }));
});
server.listen(0, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${server.address().port}`));
