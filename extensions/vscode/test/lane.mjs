// Copyright The ctx-lsp authors. MIT licence.

// Runs files of tests one after the other, with a browser and ports of its own. run.mjs starts two of these processes,
// sends each a file and the environment of its editor, and receives each case with its result and its time.
import { createServer } from 'node:net';
import { run } from 'node:test';
import playwright from 'playwright-core';

let browser;
process.on('disconnect', () => process.exit());
process.on('exit', () => browser?.process().kill('SIGKILL'));

process.on('message', async ({ files, env, browsing, concurrency }) => {
  if (browsing) {
    if (browser === undefined || hasEnded(browser.process())) {
      process.env.CTX_TEST_BROWSER = await startBrowser(browsing);
    }
    process.env.CTX_TEST_PORT ??= String(await freePort());
    process.env.CTX_TEST_WEB_PORT ??= String(await freePort());
  }
  const before = { ...process.env };
  Object.assign(process.env, env);
  const stream = run({
    files,
    concurrency,
    // The limit is for a whole file and only ends what hangs: on a busy machine a file with an editor takes minutes.
    timeout: 1_800_000,
    ...(process.env.CTX_TEST_ONLY ? { testNamePatterns: [process.env.CTX_TEST_ONLY] } : {}),
  });
  const send = (message) => process.send(message);
  stream.on('test:pass', ({ name, details, skip }) => {
    if (details.type !== 'suite' && !files.includes(name)) {
      send({ name, passed: skip === undefined, skip, ms: details.duration_ms });
    }
  });
  stream.on('test:fail', ({ name, details }) => {
    if (details.type !== 'suite') {
      const { error } = details;
      send({ name, failed: String(error?.cause?.stack ?? error?.cause ?? error?.message), ms: details.duration_ms });
    }
  });
  stream.on('test:diagnostic', ({ message, nesting }) => nesting === 0 && send({ note: message }));
  stream.on('test:stdout', ({ message }) => process.env.CTX_TEST_VERBOSE && send({ out: message }));
  stream.on('test:stderr', ({ message }) => send({ out: message }));
  stream.on('end', () => {
    for (const name of Object.keys(env)) {
      delete process.env[name];
    }
    Object.assign(process.env, before);
    send({ ended: true });
  });
  stream.resume();
});

/** Reports whether a process has ended; a browser may crash. */
function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}

/** Starts the browser in which the tests open their pages, and returns its address. It ends with this process. */
async function startBrowser(executablePath) {
  const port = await freePort();
  browser = await playwright.chromium.launchServer({
    executablePath,
    headless: true,
    args: [
      `--remote-debugging-port=${port}`,
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    ],
  });
  return `http://127.0.0.1:${port}`;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
