// Copyright The ctx-lsp authors. MIT licence.

import { agents } from './agents.gen';

const byId = new Map(agents.map((agent) => [agent.id, agent]));

/** What to call an agent in a sentence; an agent without a name of its own is called by its id. */
export function agentName(id: string): string {
  return id === 'generic' ? '' : (byId.get(id)?.name ?? id);
}

/** Which agent an editor tab belongs to, by the view type that its extension gave it. */
export function agentOfWebview(viewType: string): string | undefined {
  return agents.find((agent) => agent.webview?.test(viewType))?.id;
}

/** What makes room in an agent's window: a command that is typed, or the name of a button. */
export function compactCommand(id: string): string | undefined {
  return byId.get(id)?.compactCommand;
}
