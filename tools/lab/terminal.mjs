// Copyright The ctx-lsp authors. MIT licence.

// Runs an agent in a terminal, as users do: only there it has a status line. Needs tmux.
import { execFileSync } from 'node:child_process';

/** How many terminals were opened: each has its own socket, because the server of the last one may not have ended. */
let opened = 0;

const pause = (ms) => new Promise((later) => setTimeout(later, ms));

/** Types a prompt into the agent, and waits until `done` or the time is over. Returns the last screen. */
export async function inTerminal(command, { cwd, env, socket }, prompt, done, limit = 120_000) {
  const own = `${socket}${++opened}`;
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', own, '-f', '/dev/null', ...args], { cwd, env, encoding: 'utf8' });
  const screen = () => tmux('capture-pane', '-p', '-t', 'lab');
  tmux('new-session', '-d', '-x', '160', '-y', '50', '-s', 'lab', ...command);
  const end = Date.now() + limit;
  let seen = '';
  try {
    // The agent is ready when it shows where to type, and its screen has come to rest.
    for (let before = ''; Date.now() < end; before = seen) {
      await pause(1500);
      seen = screen();
      if (/[❯>]/.test(seen) && seen === before) break;
    }
    tmux('send-keys', '-t', 'lab', '-l', prompt);
    while (Date.now() < end && !done()) {
      tmux('send-keys', '-t', 'lab', 'Enter');
      for (let waited = 0; waited < 10 && !done(); waited++) await pause(1000);
    }
    await pause(3000); // for the last status line
    return screen();
  } catch (error) {
    return `${seen}\n${error.message}`; // the agent has ended
  } finally {
    try {
      tmux('kill-server');
    } catch {
      // It ended with the agent.
    }
  }
}
