// Copyright The ctx-lsp authors. MIT licence.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Transcript } from '../driver/transcript';
import { must } from '../driver/workbench';

// Sessions to be drawn, written by hand and of the shape that sessions of people have.

/** One step of an agent: a call of a tool and what it answered. */
interface Step {
  readonly name: string;
  readonly input: object;
  readonly answer: string;
  readonly thought: string;
}

/** What is in every request before the first words: prompt, tools, memory and skills, as such sessions begin. */
const setup = 27_400;
/** How long an afternoon is, and how many records are written in it. */
const hours = 3;
const records = 224;
const summary =
  'This session is being continued from a previous conversation. The retry budget is shared by all calls. ';
/** How many steps are ready to be taken. */
const ready = 180;

/**
 * A session that is written by hand and has the shape that sessions have: the agent reads, edits and tests, and asks an
 * MCP server and the web. The numbers of each request are those that its text has, so what is shown of it adds up.
 */
export class Work {
  readonly transcript: Transcript;
  private readonly tokens: Map<Step, number[]>;
  private left: Step[];
  private used = setup;

  constructor(config: string, workspace: string, title: string, prompt: string, since = 0) {
    this.left = steps(workspace, ready);
    this.tokens = counted(this.left);
    this.transcript = new Transcript(config, workspace, undefined, 'claude-opus-4-6', since);
    this.transcript.title(title).user(prompt);
  }

  /** Goes on until the next prompt has so many tokens, as nearly as steps allow. */
  grow(to: number): this {
    for (;;) {
      const next = this.left.find((step) => this.used + this.size(step) <= to);
      if (next === undefined) {
        return this;
      }
      this.left = this.left.filter((step) => step !== next);
      const [call = 0] = this.tokens.get(next) ?? [];
      this.transcript.tool(next.name, next.input, sent(this.used, call), next.thought).answer(next.answer);
      this.used += this.size(next);
    }
  }

  /** Answers the person. */
  answer(text: string): this {
    this.transcript.assistant(text, sent(this.used, 30));
    this.used += 30;
    return this;
  }

  compact(): this {
    this.transcript.compacted(this.used, summary.repeat(120));
    this.used = setup + 2900;
    return this;
  }

  private size(step: Step): number {
    return (this.tokens.get(step) ?? []).reduce((all, n) => all + n, 0);
  }
}

/** An afternoon of work, compacted once and near its threshold again. */
export function afternoon(config: string, workspace: string): void {
  const began = hours * 3_600_000;
  const prompt = 'Payments are charged twice when the gateway times out. Please find out why.';
  const work = new Work(config, workspace, 'Fix the retry logic', prompt, began);
  work.transcript.pace = Math.floor(began / records);
  work.grow(166_000).compact().grow(155_500);
  work.answer('Both paths share one budget now, and no charge is sent twice.');
}

/** The usage of a request: what came before is read from the cache. */
function sent(prompt: number, out: number): { cached: number; fresh: number; out: number } {
  return { cached: prompt - 900, fresh: 900, out };
}

/** The tokens of every step's call and answer, as the daemon's program counts them for the model. */
function counted(all: readonly Step[]): Map<Step, number[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ctx-work-'));
  const texts = all.flatMap((s) => [`${s.thought}${JSON.stringify(s.input)}`, s.answer]);
  const files = texts.map((_, i) => path.join(folder, `${i}.txt`));
  for (const [i, file] of files.entries()) {
    fs.writeFileSync(file, texts[i] as string);
  }
  const said = execFileSync(must('CTX_TEST_DAEMON'), ['count', '--json', '--model', 'claude-opus-4-6', ...files], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  fs.rmSync(folder, { recursive: true });
  const numbers = (JSON.parse(said) as { files: { tokens: number }[] }).files.map((f) => f.tokens);
  const frame = 40; // of a call with its name and ids
  return new Map(all.map((step, i) => [step, [(numbers[2 * i] ?? 0) + frame, (numbers[2 * i + 1] ?? 0) + 20]]));
}

/** Always the same numbers between 0 and 1, so that a picture taken again differs only in what has changed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const files: Record<string, number> = {
  'src/payments/client.go': 420,
  'src/payments/retry.go': 260,
  'src/payments/retry_test.go': 390,
  'src/payments/idempotency.go': 180,
  'src/gateway/transport.go': 330,
  'src/gateway/errors.go': 120,
  'docs/retries.md': 150,
};
const commands: Record<string, number> = {
  'go test ./src/payments/...': 70,
  'go vet ./...': 12,
  'git diff --stat': 9,
  'go test -race -run TestRetry ./...': 110,
};
const thoughts = [
  'The timeout is counted from the first attempt, so the second one has no time left and the caller tries again.',
  'The key is made anew for each attempt. It must be made once, where the payment is.',
  '',
  'Two clients share one transport, and each has a budget of its own. One of them must own it.',
  '',
];

/** What the agent does, in an order as agents have it: it looks, changes and tries. */
function steps(workspace: string, count: number): Step[] {
  const roll = dice(1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;
  const made: Step[] = [];
  for (let i = 0; i < count; i++) {
    const at = roll();
    const thought = pick(thoughts).repeat(1 + Math.floor(3 * roll()));
    const [file, lines] = pick(Object.entries(files));
    const file_path = path.join(workspace, file);
    if (at < 0.4) {
      made.push({ name: 'Read', input: { file_path }, answer: code(roll, lines), thought });
    } else if (at < 0.62) {
      const input = { file_path, old_string: code(roll, 12), new_string: code(roll, 16) };
      made.push({ name: 'Edit', input, answer: `The file ${file} has been updated.\n${code(roll, 14)}`, thought });
    } else if (at < 0.85) {
      const [command, length] = pick(Object.entries(commands));
      made.push({ name: 'Bash', input: { command, description: 'Run it' }, answer: tests(roll, length), thought });
    } else if (at < 0.93) {
      made.push({ name: 'Grep', input: { pattern: 'retryBudget' }, answer: code(roll, 40), thought });
    } else if (at < 0.97) {
      const input = { owner: 'example', repo: 'payments', issue_number: 812 };
      const asked = made.filter((step) => step.name.startsWith('mcp__')).length;
      const name = asked % 2 === 0 ? 'mcp__github__get_issue' : 'mcp__github__list_comments';
      made.push({ name, input, answer: tests(roll, 60), thought });
    } else {
      const input = { url: 'https://example.com/gateway/retries', prompt: 'Which errors may be sent again?' };
      made.push({ name: 'WebFetch', input, answer: tests(roll, 45), thought });
    }
  }
  return made;
}

const words = 'ctx err attempt budget client charge gateway timeout key status body delay limit payment'.split(' ');

/** Lines as a program has them. */
function code(roll: () => number, lines: number): string {
  const word = (): string => words[Math.floor(roll() * words.length)] as string;
  return Array.from({ length: lines }, (_, i) =>
    i % 7 === 0
      ? `func (c *Client) ${word()}${i}(${word()} context.Context) error {`
      : `\tif ${word()} := c.${word()}(${word()}, ${Math.floor(roll() * 900)}); ${word()} != nil {`,
  ).join('\n');
}

/** Lines as a run of tests prints them. */
function tests(roll: () => number, lines: number): string {
  const word = (): string => words[Math.floor(roll() * words.length)] as string;
  return Array.from(
    { length: lines },
    (_, i) => `--- PASS: TestRetry_${word()}_${word()}/${i} (${roll().toFixed(2)}s) ${word()} ${word()}`,
  ).join('\n');
}
