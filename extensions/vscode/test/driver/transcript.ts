// Copyright The ctx-lsp authors. MIT licence.

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { enter, now } from './recorded';

export interface Usage {
  /** Tokens of the prompt that came from the cache and that did not. */
  cached: number;
  fresh: number;
  out: number;
  /** Tokens that were written to a cache of an hour. */
  hour?: number;
}

/**
 * Writes a transcript as Claude Code does, record by record: one JSON object a line, under
 * <config>/projects/<key of the folder>/<session>.jsonl.
 */
export class Transcript {
  readonly file: string;
  private parent: string | null = null;
  private calls = 0;
  private records = 0;
  /** How much later than the record before it each one is, in milliseconds. */
  pace = 1;

  constructor(
    config: string,
    private readonly cwd: string,
    readonly session: string = randomUUID(),
    private readonly model = 'claude-opus-4-6',
    /** How long ago the session was, in milliseconds. */
    private readonly ago = 0,
    file?: string,
    /** The further fields of every record. */
    private readonly besides: object = {},
  ) {
    const folder = path.join(config, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
    this.file = file ?? path.join(folder, `${session}.jsonl`);
    fs.mkdirSync(path.dirname(this.file), { recursive: true });
    enter(this.file);
  }

  /** The agent's title of the session. */
  title(title: string): this {
    fs.appendFileSync(this.file, `${JSON.stringify({ type: 'ai-title', sessionId: this.session, aiTitle: title })}\n`);
    return this;
  }

  user(text: string): this {
    return this.write({ type: 'user', message: { role: 'user', content: text } });
  }

  /** A reply with the usage of its request. */
  assistant(text: string, usage: Usage): this {
    return this.reply([{ type: 'text', text }], 'end_turn', usage);
  }

  /** Requests of these sizes, one a turn. A forecast needs three requests of a session. */
  requests(...sizes: number[]): this {
    for (const fresh of sizes) {
      this.user('Go on.').assistant('Done.', { cached: 0, fresh, out: 10 });
    }
    return this;
  }

  /** A tool call without a result, with the preceding reasoning if it is recorded. */
  tool(name: string, input: object, usage = { cached: 0, fresh: 150_000, out: 40 }, thought = ''): this {
    const thinking = thought === '' ? [] : [{ type: 'thinking', thinking: thought, signature: 'c2lnbmVk' }];
    const call = { type: 'tool_use', id: `toolu_${this.calls + 1}`, name, input };
    return this.reply([...thinking, call], 'tool_use', usage);
  }

  /** The answer of the tool that was called last. */
  answer(text = 'ok'): this {
    const content = [{ type: 'tool_result', tool_use_id: `toolu_${this.calls}`, content: text }];
    return this.write({ type: 'user', message: { role: 'user', content } });
  }

  /** A sub-agent of this session, with its own transcript and a file with its kind. */
  subAgent(id: string, kind: string, prompt: string, usage: Usage): this {
    const folder = path.join(this.file.replace(/\.jsonl$/, ''), 'subagents');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `agent-${id}.meta.json`), JSON.stringify({ agentType: kind }));
    const own = new Transcript(
      '',
      this.cwd,
      this.session,
      this.model,
      this.ago,
      path.join(folder, `agent-${id}.jsonl`),
      {
        isSidechain: true,
        agentId: id,
      },
    );
    own.user(prompt).assistant('Done.', usage);
    return this;
  }

  compacted(before: number, summary: string): this {
    const last = this.parent;
    this.parent = null;
    this.write({
      type: 'system',
      subtype: 'compact_boundary',
      logicalParentUuid: last,
      content: 'Conversation compacted',
      isMeta: false,
      level: 'info',
      compactMetadata: { trigger: 'auto', preTokens: before },
    });
    return this.write({
      type: 'user',
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
      message: { role: 'user', content: summary },
    });
  }

  private reply(content: object[], why: string, usage: Usage): this {
    this.calls += 1;
    return this.write({
      type: 'assistant',
      requestId: `req_${this.session.slice(0, 8)}_${this.calls}`,
      message: {
        model: this.model,
        id: `msg_${this.session.slice(0, 8)}_${this.calls}`,
        type: 'message',
        role: 'assistant',
        content,
        stop_reason: why,
        stop_sequence: null,
        usage: {
          input_tokens: usage.fresh,
          cache_creation_input_tokens: usage.hour ?? 0,
          ...(usage.hour && {
            cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: usage.hour },
          }),
          cache_read_input_tokens: usage.cached,
          output_tokens: usage.out,
          service_tier: 'standard',
        },
      },
    });
  }

  private write(record: Record<string, unknown>): this {
    const uuid = randomUUID();
    const line = {
      parentUuid: this.parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.cwd,
      sessionId: this.session,
      version: '2.1.112',
      gitBranch: 'main',
      ...this.besides,
      ...record,
      uuid,
      timestamp: new Date(now() - this.ago + ++this.records * this.pace).toISOString(),
    };
    fs.appendFileSync(this.file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    this.parent = uuid;
    return this;
  }
}
