// Copyright The ctx-lsp authors. MIT licence.

// The script of a conversation is in the user's prompt: LAB[step,step,…], and SUB[…] for a sub-agent. Each step is a
// response with one call, or with several joined by +; after the last step comes a text.
//
//   ls   read:PATH   look:IMAGE   bash:COMMAND   write:PATH:WORDS   big:KILOBYTES
//   mcp:NUMBER   task:STEP;STEP   skill:NAME   search:NUMBER   and the steps of sightworld.mjs
//   sees:FILE:FILE   asks ctx-lsp what the request has of files   rest:FILE   reads the lines that it does not have
//
// Joined to a step, these change its response: think:WORDS reasons first, say:LANGUAGE speaks it, and fault:KIND fails
// the first request for the step: 429, 500, 529 refuse it, abort breaks the response off, hang never responds.
import { readFileSync, writeFileSync } from 'node:fs';
import { changed, commandOf } from '../sightworld.mjs';

const scripted = /(LAB|SUB)\[([^\]]*)\]/g;
const modifier = /^(think|say|fault):(.*)$/;

/** Returns what is joined to a step: { think, say, fault }. */
export const modifiersOf = (step) =>
  Object.fromEntries((step ?? '').split('+').flatMap((one) => (modifier.exec(one) ? [one.split(':')] : [])));

/** Texts of ours in other writing systems. */
export const languages = {
  ja: '川は窓の外を静かに流れ、紙の上の光は夕方まで消えない。石は黙って北を向き、銅の鐘が七つ鳴るのを待っている。\n',
  de: 'Der Fluss trägt das Licht am Fenster vorbei, und das Papier bleibt still, bis die Kupferglocken läuten. Übermäßig große Straßen führen nördlich.\n',
  emoji: 'Stone 🪨, river 🌊, window 🪟: 👩‍👩‍👧‍👦 walk north 🧭 while seven 7️⃣ bells 🔔🔔 ring 🎐✨.\n',
};

/** Words of ours: n of them. */
export const words = (n) =>
  Array.from({ length: n }, (_, i) => {
    const word = ['river', 'stone', 'light', 'window', 'carry', 'north', 'paper', 'copper', 'quiet', 'seven'];
    return word[(i * 7 + (i >> 3)) % 10] + (i % 10 === 9 ? '.\n' : '');
  }).join(' ');

// Requests for a summary: a message at the end of the conversation, or a system prompt of their own.
const asksSummary =
  /<summary>|handoff summary|summary of (the|our|this) conversation|CONTEXT CHECKPOINT|state_snapshot|summarize (the|our|this) conversation|anchored summary|prompt for continuing|context checkpoint|structured checkpoint|Your task is to (create|summar)/i;
const summarizes =
  /tasked with summariz|summarize the provided|distilling chat history|summarization (assistant|agent)|compress(es|ing)? (the )?(chat|conversation)|anchored context summar/i;

/** Returns what kind of request this is, and the next step of its script. */
export function plan(request) {
  const { items } = request;
  let at = -1;
  let found = null;
  for (let i = items.length - 1; i >= 0 && !found; i--) {
    if (items[i].kind !== 'user') continue;
    found = [...items[i].text.matchAll(scripted)].at(-1);
    if (found) at = i;
  }
  const last = items.findLastIndex(
    (item) => item.kind === 'user' && item.role !== 'developer' && item.role !== 'system',
  );
  const system = [...request.system, ...items.filter((item) => item.kind === 'system')]
    .map((each) => each.text)
    .join('\n');
  const prompt = items[last]?.text ?? '';
  if ((last > at && asksSummary.test(prompt)) || summarizes.test(system.slice(0, 3000) + prompt.slice(0, 200)))
    return { kind: 'compaction' };
  if (!found || request.tools.length === 0 || request.form) return { kind: 'other' };
  const steps = found[2]
    .split(',')
    .map((step) => step.trim())
    .filter(Boolean);
  let done = 0;
  for (let i = at + 1; i < items.length; i++) if (items[i].kind === 'call' && items[i - 1].kind !== 'call') done++;
  const { fault } = modifiersOf(steps[done]);
  const stream = /STREAM:(\w+)/.exec(items[at].text)?.[1];
  const kind = found[1] === 'LAB' ? 'main' : 'sub';
  return { kind, step: steps[done], at: done + 1, of: steps.length, script: found[2], fault, stream };
}

/**
 * Returns the response to a planned request: a text and calls. `after` continues a script after a compaction, and
 * `ends` is the step after the last one, for an agent that only ends by a command.
 */
export function next(request, planned, { folder, after, ends }) {
  const { kind, step, at, of } = planned;
  if (kind === 'compaction') {
    const goal = `The lab runs its script. ${words(220)} ${after ? `LAB[${after}]` : ''}`;
    return { text: `<state_snapshot><summary>\n${goal}\n</summary></state_snapshot>`, calls: [] };
  }
  if (kind === 'other') return { text: request.form ? filled(request.form) : 'Lab run', calls: [] };
  if (!step) {
    // Some agents only end by a call.
    const end =
      callOf(request.tools, [/^(submit_and_exit|attempt_completion|complete)$/], { content: 'Done.' }) ??
      (ends && call(ends, request.tools, folder));
    return { text: `Done with ${of} steps. ${words(60)}`, calls: end ? [end] : [] };
  }
  const { think, say } = modifiersOf(step);
  const parts = step
    .split('+')
    .filter((one) => !modifier.test(one))
    .flatMap((one) => (one.startsWith('rest:') ? restOf(one.slice(5), request.items, folder) : [one]));
  const made = parts.map((one) => call(one, request.tools, folder));
  const missing = parts.filter((_, i) => !made[i]);
  const calls = made.map((one, i) => one ?? call(`bash:echo no tool for ${missing[i]}`, request.tools, folder));
  const text = `Step ${at} of ${of}.${say ? ` ${languages[say].repeat(4)}` : ''}`;
  return { text, calls: calls.filter(Boolean), missing, reasoning: think ? words(Number(think)) : '' };
}

/** A value of a form, for requests that want one. */
function filled(schema) {
  const value = {};
  for (const [name, { type, enum: choices }] of Object.entries(schema.properties ?? {})) {
    value[name] = choices
      ? choices.at(-1)
      : /number|integer/i.test(type)
        ? 50
        : /bool/i.test(type)
          ? false
          : /array/i.test(type)
            ? []
            : 'lab';
  }
  return JSON.stringify(value);
}

const shells = [
  'Bash',
  'bash',
  'shell',
  'exec_command',
  'shell_command',
  'run_shell_command',
  'execute_command',
  /bash|shell|run_commands?|^terminal$/i,
];
const readers = ['Read', 'read', 'read_file', 'view', 'read_files', 'ReadFile', /^read_?file/i];
const writers = ['Write', 'write', 'write_file', 'write_to_file', 'create', 'WriteFile'];
const editors = ['Edit', 'edit', 'replace', 'edit_file', 'apply_patch'];
const spawners = ['Agent', 'Task', 'task', 'spawn_agent', 'agent', /agent$/i];
const skills = ['Skill', 'skill', 'activate_skill', 'skill_view'];

/** The steps that read the lines of a file that the last answer of `sees` does not list as in the request. */
function restOf(file, items, folder) {
  const answer = items.findLast((item) => item.kind !== 'user' && item.text?.includes(`${file}: in the request`));
  const held = new RegExp(`${file}: in the request as on disk: ([\\d, -]*)`).exec(answer?.text ?? '')?.[1] ?? '';
  const last = readFileSync(`${folder}/${file}`, 'utf8').split('\n').length - 1;
  const steps = [];
  let next = 1;
  for (const [, from, to] of `${held} ${last + 1}-${last + 1}`.matchAll(/(\d+)-(\d+)/g)) {
    if (from > next) steps.push(`show:${file}:${next}:${from - 1}`);
    next = Number(to) + 1;
  }
  return steps;
}

function call(step, tools, folder) {
  const [name, first, second] = step.split(':');
  const path = (file) => (file.startsWith('/') ? file : `${folder}/${file}`);
  const shell = (command) => callOf(tools, shells, { command });
  switch (name) {
    case 'ls':
      return shell('ls -la');
    case 'bash':
      return shell(step.slice(5));
    case 'big':
      return shell(`head -c ${Number(first) * 1024} big.txt`);
    case 'read':
      return callOf(tools, readers, { path: path(first) }) ?? shell(`cat ${first}`);
    case 'look':
      return callOf(tools, [/^view_image$/], { path: path(first) }) ?? callOf(tools, readers, { path: path(first) });
    case 'write': {
      const content = words(Number(second));
      return callOf(tools, writers, { path: path(first), content }) ?? shell(`cat > ${first} <<'END'\n${content}\nEND`);
    }
    case 'show':
      return shown(step, tools, path) ?? shell(commandOf(step));
    case 'cat':
    case 'sed':
    case 'head':
    case 'tail':
    case 'number':
    case 'grep':
      return shell(commandOf(step));
    case 'edit':
      return edited(step, tools, folder);
    case 'outside':
      writeFileSync(path(first), changed(folder, step).content);
      return shell('ls -la');
    case 'mcp':
      return callOf(tools, [new RegExp(`tool_${first}$`)], { content: 'hello' });
    case 'task':
      return callOf(tools, spawners, { prompt: `Please work on SUB[${step.slice(5).replaceAll(';', ',')}]` });
    case 'sees': {
      const made = callOf(tools, [/sees$/], {});
      return made && { ...made, arguments: { files: step.split(':').slice(1) } };
    }
    case 'skill':
      return callOf(tools, skills, { skill: first });
    case 'search':
      return (
        callOf(tools, ['ToolSearch'], { query: `select:mcp__lab20__lab_tool_${first}` }) ??
        callOf(tools, ['tool_search'], { query: `lab tool ${first}` })
      );
  }
  throw new Error(`the script has an unknown step: ${step}`);
}

/** Reads a file with the agent's own tool; undefined if it has none that reads parts. */
function shown(step, tools, path) {
  const [, file, from, to] = step.split(':');
  if (!from) return callOf(tools, readers, { path: path(file) });
  const made = callOf(tools, readers, {
    path: path(file),
    offset: Number(from),
    limit: to - from + 1,
    end: Number(to),
  });
  const names = Object.keys(made?.arguments ?? {});
  if (
    names.includes('offset') &&
    tools.find((each) => each.name === made.name).schema.properties.end_line === undefined
  ) {
    const text = JSON.stringify(tools.find((each) => each.name === made.name).schema.properties.offset);
    if (/0-based/i.test(text)) made.arguments.offset = from - 1;
  }
  return names.some((name) => /limit|end/.test(name)) ? made : undefined;
}

/**
 * Replaces lines with the agent's own tool: one of the names of editors, Hermes' and gptme's patch, or the editor of
 * OpenHands; otherwise with a patch in the shell.
 */
function edited(step, tools, folder) {
  const [, file] = step.split(':');
  const { old, texts } = changed(folder, step);
  const texted = (lines) => lines.join('\n');
  const lines = [...old.map((line) => `-${line}`), ...texts.map((line) => `+${line}`)];
  const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n${texted(lines)}\n*** End Patch`;
  const why = 'The lab changes lines.';
  const free = tools.find(
    (each) => each.name === 'apply_patch' && (each.type === 'custom' || each.schema?.properties?.input),
  );
  if (free) return { name: free.name, type: free.type, arguments: { input: patch } };
  const own = callOf(tools, editors, { path: `${folder}/${file}`, old: texted(old), new: texted(texts), patch, why });
  if (own) return own;
  const named = tools.find((each) => each.name === 'patch')?.schema?.properties ?? {};
  const conflict = `<<<<<<< ORIGINAL\n${texted(old)}\n=======\n${texted(texts)}\n>>>>>>> UPDATED`;
  const other = named.old_string
    ? callOf(tools, ['patch'], { path: `${folder}/${file}`, old: texted(old), new: texted(texts) })
    : (callOf(tools, ['patch'], { path: `${folder}/${file}`, patch: conflict }) ??
      callOf(tools, ['file_editor'], {
        command: 'str_replace',
        path: `${folder}/${file}`,
        old: texted(old),
        new: texted(texts),
      }));
  if (other) return other;
  return callOf(tools, shells, { command: `apply_patch <<'EOF'\n${patch}\nEOF` });
}

/** Calls the first tool that has one of the names, if any. */
function callOf(tools, names, values) {
  for (const name of names) {
    const tool = tools.find(
      (each) => each.schema && (name instanceof RegExp ? name.test(each.name) : each.name === name),
    );
    if (tool)
      return {
        name: tool.name,
        type: tool.type,
        namespace: tool.namespace,
        searched: tool.searched,
        arguments: argumentsOf(tool, values),
      };
  }
}

const meanings = [
  [/^(file_?path|path|absolute_path|target_file|file)$/i, 'path'],
  [/^(command|cmd|script|commands)$/i, 'command'],
  [/^(content|contents|file_text|text|new_string)$/i, 'content'],
  [/^(prompt|task|message|instructions|objective)$/i, 'prompt'],
  [/^(skill|name|skill_name)$/i, 'skill'],
  [/^query$/i, 'query'],
  [/^(offset|start_line)$/i, 'offset'],
  [/^limit$/i, 'limit'],
  [/^end_line$/i, 'end'],
  [/^(old_string|oldString|old_str|oldText)$/, 'old'],
  [/^(new_string|newString|new_str|newText)$/, 'new'],
  [/^instruction$/, 'why'],
  [/^patch(Text)?$/, 'patch'],
];
/** Whether a kind of sub-agent need not be named. */
const hasDefault = (name, of) => /type$/.test(name) && /default/i.test(of.description);
/** The kind of sub-agent for any task, by the name that the tool's description has for it. */
const general = (text) => (/- general:/.test(text) ? 'general' : 'general-purpose');

/** The only element of a list of files to read, or of edits in one file; undefined for other parameters. */
function listOf(name, of, values) {
  if (name === 'files' && values.path) return [{ path: values.path }];
  if (name === 'edits' && values.old !== undefined) return [argumentsOf({ schema: of.items }, values)];
}

/** The arguments of a call: values by the meaning of a parameter's name, and something for each required one. */
function argumentsOf({ schema, text = '' }, values) {
  const all = schema.properties ?? {};
  const constant = { subagent_type: general(text), agent_type: general(text), run_in_background: false };
  const required = new Set(schema.required ?? Object.keys(all));
  const result = {};
  for (const [name, of] of Object.entries(all)) {
    const meaning = meanings.find(([pattern, value]) => pattern.test(name) && values[value] !== undefined)?.[1];
    const value = values[meaning] ?? listOf(name, of, values);
    if (value !== undefined) {
      if (of.type !== 'array' || Array.isArray(value)) result[name] = value;
      else result[name] = name === 'command' ? ['bash', '-lc', value] : [value];
    } else if (required.has(name) || (name in constant && of.enum === undefined && !hasDefault(name, of))) {
      result[name] =
        constant[name] ??
        of.enum?.[0] ??
        { boolean: false, number: 1, integer: 1, array: [], object: {} }[of.type] ??
        'lab step';
    }
  }
  return result;
}
