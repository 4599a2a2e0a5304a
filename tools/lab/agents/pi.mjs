// Copyright The ctx-lsp authors. MIT licence.

/**
 * Pi: Responses, with a provider of its own in models.json, and a Node that is newer than most. It compacts at the end
 * of a turn, and has no MCP.
 */
export default {
  id: 'pi',
  name: 'Pi',
  package: '@earendil-works/pi-coding-agent',
  also: ['node@24'],
  program: 'pi',
  family: 'o200k',
  model: 'gpt-5.5',
  compacts: 'turn',
  turns: true,
  window: 60_000,
  sessions: '.pi/agent/sessions',

  files: ({ origin, small }) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        lab: {
          baseUrl: `${origin}/v1`,
          api: 'openai-responses',
          apiKey: 'dummy',
          models: [
            {
              id: 'gpt-5.5',
              name: 'Lab',
              reasoning: false,
              input: ['text'],
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              contextWindow: small ?? 200_000,
              maxTokens: 16_000,
            },
          ],
        },
      },
    }),
  }),
  environment: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }),
  prompt: (text) => ['--provider', 'lab', '--model', 'gpt-5.5', '-p', text],
  resume: (text) => ['--provider', 'lab', '--model', 'gpt-5.5', '-c', '-p', text],
};
