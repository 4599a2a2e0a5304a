// Copyright The ctx-lsp authors. MIT licence.

import { agents } from './agents.gen';

const byId = new Map(agents.map((agent) => [agent.id, agent]));

/** The name of an agent in a sentence; an agent without a name is called by its id. */
export function agentName(id: string): string {
  return id === 'generic' ? '' : (byId.get(id)?.name ?? id);
}

/** The agent to which an editor tab belongs, by the view type of its extension. */
export function agentOfWebview(viewType: string): string | undefined {
  return agents.find((agent) => agent.webview?.test(viewType))?.id;
}

/** What makes room in an agent's window: a command to type, or the name of a button. */
export function compactCommand(id: string): string | undefined {
  return byId.get(id)?.compactCommand;
}

/** How an agent is started with a first prompt: the words before the prompt. */
export function startOf(id: string): string | undefined {
  return byId.get(id)?.start;
}
