// Copyright The ctx-lsp authors. MIT licence.

import { agents } from './agents.gen';

const byId = new Map(agents.map((agent) => [agent.id, agent]));

/** Returns the name of an agent for use in a sentence; its id if it has no name, and an empty string for generic. */
export function agentName(id: string): string {
  return id === 'generic' ? '' : (byId.get(id)?.name ?? id);
}

/** Returns the id of the agent that an editor tab belongs to, by the view type of its extension. */
export function agentOfWebview(viewType: string): string | undefined {
  return agents.find((agent) => agent.webview?.test(viewType))?.id;
}

/** Returns how to compact an agent's window: a command to type, or the name of a button. */
export function compactCommand(id: string): string | undefined {
  return byId.get(id)?.compactCommand;
}

/** Returns the command that starts an agent with a first prompt: the words before the prompt. */
export function startOf(id: string): string | undefined {
  return byId.get(id)?.start;
}
