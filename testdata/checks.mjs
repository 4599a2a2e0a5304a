// Copyright The ctx-lsp authors. MIT licence.
//
// What tests that are programs of Node count, and how they wait.
import { createServer } from 'node:net';

export const counted = { passed: 0, failed: 0 };

/** Counts a check, and says which one has failed and what was seen. */
export const check = (name, good, seen) => {
  counted[good ? 'passed' : 'failed']++;
  if (!good) console.log(`FAIL ${name}: ${seen}`);
};

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** A port of this machine that nobody listens at. */
export const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
