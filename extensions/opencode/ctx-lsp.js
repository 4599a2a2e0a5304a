// Copyright The ctx-lsp authors. MIT licence.

import { spawn } from 'node:child_process';

// OpenCode has no hooks that run a command, but plugins. This one runs `ctx-lsp hook` when a session has come to rest,
// and shows its message, once a threshold, like the notes of OpenCode. CTX_HOOK has further flags, separated by
// spaces, such as "--at=120k --exec=notify".

/** Runs the hook with the event on its standard input, and returns what it prints. */
function hook(event, directory) {
  return new Promise((resolve) => {
    const flags = (process.env.CTX_HOOK ?? '').split(' ').filter(Boolean);
    const child = spawn('ctx-lsp', ['hook', ...flags], { cwd: directory, stdio: ['pipe', 'pipe', 'ignore'] });
    let out = '';
    child.stdout.on('data', (part) => (out += part));
    child.on('error', () => resolve('')); // without the program there is nothing to say
    child.on('close', () => resolve(out));
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(event));
  });
}

export const CtxLsp = async ({ client, directory }) => ({
  event: async ({ event }) => {
    if (event.type !== 'session.idle') return;
    const output = await hook(
      { session_id: event.properties.sessionID, cwd: directory, hook_event_name: 'session.idle' },
      directory,
    );
    let message = '';
    try {
      message = JSON.parse(output).systemMessage ?? '';
    } catch {
      return; // below the threshold there is no output
    }
    if (message) await client.tui.showToast({ body: { message, variant: 'warning' } });
  },
});
