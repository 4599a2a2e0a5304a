// Copyright The ctx-lsp authors. MIT licence.
//
// The Model Context Protocol's own inspector asks `ctx-lsp mcp`, as somebody would who looks at the server for the
// first time: a client that was written without knowing ours.
//   node run.mjs PROGRAM TOOLS
// TOOLS is the directory of install.sh.
// The last line is "N passed, M failed".
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, counted } from '../checks.mjs';

const here = import.meta.dirname;
const [program, tools] = process.argv.slice(2).map((path) => resolve(path));

// A workspace with a session of Claude Code that was compacted, and a file to ask about.
const home = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-inspector-')));
const repo = join(home, 'shop');
const id = '33333333-3333-4333-8333-333333333333';
mkdirSync(join(repo, '.git'), { recursive: true });
mkdirSync(join(home, '.claude/projects/shop'), { recursive: true });
writeFileSync(join(repo, '.git/HEAD'), 'ref: refs/heads/main\n');
writeFileSync(join(repo, 'search.ts'), 'export const search = (words: string[]) => words.join(" ");\n');
writeFileSync(
  join(home, '.claude/projects/shop', `${id}.jsonl`),
  readFileSync(join(here, '../sessions/claude-code/compacted.jsonl'), 'utf8').replaceAll('/home/ada/shop', repo),
);
const env = { HOME: home, USERPROFILE: home, PATH: process.env.PATH };

/** What the inspector prints as JSON, and how it ended. */
function inspect(...asked) {
  const bin = join(tools, 'node_modules/.bin/mcp-inspector');
  const { status, stdout, stderr } = spawnSync(bin, ['--cli', program, 'mcp', ...asked], {
    cwd: repo,
    env,
    encoding: 'utf8',
  });
  try {
    return { status, ...JSON.parse(stdout) };
  } catch {
    return { status, unreadable: `${stdout}${stderr}` };
  }
}
const call = (tool, args = {}) =>
  inspect(
    '--method',
    'tools/call',
    '--tool-name',
    tool,
    ...Object.entries(args).flatMap(([k, v]) => ['--tool-arg', `${k}=${v}`]),
  );
const ctx = (...args) => JSON.parse(execFileSync(program, args, { cwd: repo, env, encoding: 'utf8' }));
const text = (answer) => (answer.content ?? []).map((part) => part.text).join('\n');
/** Holds a tool's answer against what the text of it must have. */
function answers(name, answer, pattern, fails = false) {
  const good = (answer.isError === true) === fails && pattern.test(text(answer));
  check(name, good, JSON.stringify(answer).slice(0, 600));
}

const { tools: listed = [], ...rest } = inspect('--method', 'tools/list');
const names = listed.map((tool) => tool.name).sort();
const wanted = ['context_status', 'count_tokens', 'largest_items', 'sees', 'what_was_forgotten', 'will_it_fit'];
check('it lists the six tools', names.join() === wanted.join(), `${names} ${JSON.stringify(rest).slice(0, 400)}`);
for (const tool of listed) {
  const hints = tool.annotations ?? {};
  check(
    `${tool.name} says that it only reads`,
    hints.readOnlyHint === true && hints.openWorldHint === false,
    JSON.stringify(hints),
  );
  check(
    `${tool.name} takes nothing unknown`,
    tool.inputSchema?.additionalProperties === false,
    JSON.stringify(tool.inputSchema),
  );
}

const { display } = ctx('status', '--json', id.slice(0, 8));
answers(
  `context_status has the percent of ctx-lsp status, ${display.percent}`,
  call('context_status'),
  new RegExp(display.percent),
);
const { files } = ctx('count', '--json', '--model', ctx('status', '--json', id.slice(0, 8)).model, 'search.ts');
answers(
  `count_tokens has the tokens of ctx-lsp count, ${files[0].tokens}`,
  call('count_tokens', { files: '["search.ts"]' }),
  new RegExp(`\\b${files[0].tokens}\\b`),
);
answers('count_tokens counts a text', call('count_tokens', { text: 'two words' }), /\d/);
answers(
  'will_it_fit says what a file leaves',
  call('will_it_fit', { files: '["search.ts"]' }),
  /^~21 → 14% of the threshold, more than 99 requests/,
);
answers('largest_items names the line of each', call('largest_items'), /^~19 Summary, line 19$/m);
answers(
  'what_was_forgotten speaks of the compaction',
  call('what_was_forgotten'),
  /^Of \d+ tokens in the conversation, \d+ were kept, \d+ are mentioned in the summary, and \d+ were dropped\.\nCompaction 1 of 1, .*\n\n +state +tokens [\s\S]*\n +dropped +\d+ +Assistant: Both are small\./,
);
answers(
  'a way out of the workspace is refused with a sentence',
  call('count_tokens', { files: '["../.claude"]' }),
  /not in the workspace/,
  true,
);
answers(
  'an unknown session is refused with a sentence',
  call('context_status', { session: 'nobody' }),
  /no session of this workspace/,
  true,
);

rmSync(home, { recursive: true });
console.log(`${counted.passed} passed, ${counted.failed} failed`);
process.exitCode = counted.failed > 0 ? 1 : 0;
