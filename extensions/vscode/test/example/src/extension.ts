// Copyright The ctx-lsp authors. MIT licence.

import * as vscode from 'vscode';
import type { CtxApi, CtxError, CtxSession } from '../../../api/ctx-lsp';
import { askInChat, askServer, provideModel } from './model';
import { stream } from './provider';

/**
 * A chat in miniature: it sends a message to a provider that streams its answer, and tells ctx-lsp what goes in and
 * what the provider says it cost. What ctx-lsp answers is shown in a status item of its own.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const item = vscode.window.createStatusBarItem('chat', vscode.StatusBarAlignment.Left, -1000);
  item.name = 'Example Chat';
  item.text = 'chat: none';
  item.show();
  let session: CtxSession | undefined;
  let turn = 0;

  const conversation = async (): Promise<CtxSession> => {
    if (!session) {
      const extension = vscode.extensions.getExtension<CtxApi>('ctx-lsp.ctx-lsp');
      const api = await extension?.activate();
      if (api?.version !== 1) {
        throw new Error('This chat needs version 1 of the API of ctx-lsp.');
      }
      session = await api.open({
        model: 'claude-opus-4-6',
        provider: 'anthropic',
        label: 'Example chat',
        limits: { window: 200_000 },
        rule: { percent: 80 },
      });
      session.onReading((r) => (item.text = `chat: ${r.used} ${r.basis}`));
      await session.update({
        system: 'You answer briefly.',
        tools: [{ text: '{"name":"read","description":"Reads a file."}', label: 'read' }],
      });
      context.subscriptions.push(session);
    }
    return session;
  };

  const send = async (): Promise<void> => {
    const chat = await conversation();
    const request = `request-${++turn}`;
    await chat.append({ kind: 'user', text: `Message ${turn}: please answer.` });
    let answer = '';
    for await (const event of stream(turn)) {
      if (event.type === 'content_block_delta') {
        answer += event.delta.text;
      } else if (event.type === 'message_start') {
        await chat.usage(event.message.usage, { provider: 'anthropic', request, final: false });
      } else if (event.type === 'message_delta') {
        await chat.usage(event.usage, { provider: 'anthropic', request });
      }
    }
    await chat.append({ kind: 'assistant', text: answer, reply: true });
  };

  /** Reads what ctx-lsp tells others: the session in front, and the tools that it has for models. */
  const ask = async (): Promise<void> => {
    const api = await vscode.extensions.getExtension<CtxApi>('ctx-lsp.ctx-lsp')?.activate();
    const { lm } = vscode as unknown as {
      lm?: {
        tools?: readonly { name: string }[];
        invokeTool?(name: string, options: object): Promise<{ content: { value?: string }[] }>;
      };
    };
    const names = (lm?.tools ?? []).map((t) => t.name).filter((n) => n.startsWith('ctx_'));
    const answer = names.includes('ctx_window')
      ? await lm?.invokeTool?.('ctx_window', { input: {}, toolInvocationToken: undefined })
      : undefined;
    const front = api?.front?.session === session?.id ? 'own' : 'other';
    const [line] = (answer?.content[0]?.value ?? 'no tools').split('\n');
    item.text = `chat: ${api?.sessions.length} ${front} | ${names.sort().join(' ')} | ${line}`;
  };

  const commands: Record<string, () => Promise<unknown>> = {
    ask,
    openChat: askInChat,
    mcp: async () => (item.text = `chat: ${await askServer()}`),
    send,
    overflow: async () =>
      (await conversation()).error(
        {
          type: 'error',
          error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
        },
        { provider: 'anthropic', status: 400 },
      ),
    compact: async () =>
      (await conversation()).compacted({ trigger: 'manual', summary: 'What was said so far, in short.', kept: 0 }),
    mistake: async () => {
      const chat = await conversation();
      try {
        await chat.append({ kind: 'nonsense' } as unknown as Parameters<CtxSession['append']>[0]);
      } catch (error) {
        item.text = `chat: refused ${(error as CtxError).kind}`;
      }
    },
    ten: async () => {
      const api = await vscode.extensions.getExtension<CtxApi>('ctx-lsp.ctx-lsp')?.activate();
      for (let i = 0; i < 10; i++) {
        const short = await api?.open({ model: 'claude-opus-4-6', label: 'Short chat' });
        for (let j = 0; j < 3; j++) {
          await short?.append({ kind: 'user', text: 'Something to count, and then nothing more.' });
        }
        short?.dispose();
      }
      item.text = 'chat: ten closed';
    },
    close: async () => {
      (await conversation()).dispose();
      session = undefined;
      item.text = 'chat: none';
    },
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(
      vscode.commands.registerCommand(`exampleChat.${name}`, () =>
        run().catch((e: Error) => (item.text = `chat: failed ${e.message}`)),
      ),
    );
  }
  context.subscriptions.push(item, ...provideModel());
}
