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
    seen = await ready(screen, end);
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

/** Waits until the agent shows where to type, and its screen has come to rest. */
async function ready(screen, end) {
  let seen = '';
  for (let before = ''; Date.now() < end; before = seen) {
    await pause(1500);
    seen = screen();
    if (/[❯>›]/.test(seen) && seen === before) break;
  }
  return seen;
}

/**
 * Types several things into one process of the agent: { text } is a prompt that comes to the end of its script, { keys
 * } are names of keys or texts, with a pause after each. `ends` counts scripts that came to their end, `note` is told
 * what turns. Returns all screens.
 */
export async function typeAll(command, { cwd, env, socket }, steps, ends, note, limit = 240_000) {
  const own = `${socket}${++opened}`;
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', own, '-f', '/dev/null', ...args], { cwd, env, encoding: 'utf8' });
  const screen = () => tmux('capture-pane', '-p', '-t', 'lab');
  const end = Date.now() + limit;
  const screens = [];
  try {
    tmux('new-session', '-d', '-x', '160', '-y', '50', '-s', 'lab', ...command);
    await ready(screen, end);
    for (const { text, keys, turn } of steps) {
      if (turn) note(turn);
      for (const key of keys ?? []) {
        tmux('send-keys', '-t', 'lab', ...(/^[A-Z]\w*$/.test(key) ? [key] : ['-l', key]));
        await pause(1500);
        screens.push(screen());
      }
      if (!text) continue;
      const before = ends();
      tmux('send-keys', '-t', 'lab', '-l', text);
      await pause(800);
      while (Date.now() < end && ends() === before) {
        tmux('send-keys', '-t', 'lab', 'Enter');
        for (let waited = 0; waited < 15 && ends() === before; waited++) await pause(1000);
      }
      await pause(2500); // until the agent has written its records
      screens.push(screen());
    }
  } catch (error) {
    screens.push(error.message); // the agent has ended
  } finally {
    try {
      tmux('kill-server');
    } catch {
      // It ended with the agent.
    }
  }
  return screens.join('\n----\n');
}
