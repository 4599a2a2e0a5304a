// Copyright The ctx-lsp authors. MIT licence.

// The turning points of a session, a phase each: what changes between one request and the next. Each is run by every
// agent that can do it, and judged by turning.mjs.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { picture } from './picture.mjs';
import { languages } from './provider/script.mjs';
import { makeFiles } from './sightworld.mjs';

const script = (steps, text = 'Please run the lab script') => `${text} LAB[${steps}]`;
const pause = (ms) => new Promise((later) => setTimeout(later, ms));
const memoryOf = (agent) => agent.workspace?.memoryFiles ?? ['AGENTS.md'];

/** Writes the files of the agent's home again, with other settings. */
function configure(lab, agent, changed) {
  for (const [name, text] of Object.entries(agent.files({ ...lab.made, ...changed }))) {
    if (name === '.claude.json') changeServers(path.join(lab.home, name), changed);
    else writeFileSync(path.join(lab.home, name), text);
  }
}

/** Claude Code keeps more in the file than its settings, so only the servers are changed. */
function changeServers(file, { server }) {
  const text = JSON.parse(readFileSync(file, 'utf8'));
  text.mcpServers = server ? { lab20: { type: 'stdio', ...server } } : {};
  writeFileSync(file, JSON.stringify(text));
}

export const phases = [
  {
    name: 'languages',
    async run({ lab, agent, resume }) {
      for (const [name, line] of Object.entries(languages))
        writeFileSync(path.join(lab.folder, `${name}.txt`), line.repeat(40));
      const greeting = `${languages.de.trim()} ${languages.ja.trim()}`;
      const parallel = 'ls+bash:cat de.txt+bash:date+bash:cat ja.txt';
      const steps = `ls,bash:cat ja.txt,say:ja+bash:cat de.txt,bash:true,bash:cat emoji.txt,big:58,say:emoji+${parallel},bash:date`;
      await lab.run(agent.prompt(script(steps, greeting)));
      lab.turn = 'continued';
      await resume(script('say:de+ls,bash:date', languages.emoji.trim()));
    },
  },
  {
    name: 'faults',
    async run({ lab, agent, resume }) {
      await lab.run(
        agent.prompt(
          script('ls,fault:429+big:8,ls,fault:529+bash:date,fault:500+ls,think:600+fault:abort+big:4,ls,bash:date'),
        ),
      );
      lab.turn = 'continued';
      await resume(script('ls,bash:date'));
    },
  },
  {
    name: 'reasoning',
    async run({ lab, agent, resume }) {
      await lab.run(agent.prompt(script('ls,think:900+bash:date,ls,think:1200+big:6,think:700+ls,bash:date')));
      lab.turn = 'continued';
      await resume(script('think:800+ls,bash:date,ls'));
    },
  },
  {
    name: 'model',
    can: (agent) => agent.other,
    async run({ lab, agent, resume }) {
      await lab.run(agent.prompt(script('ls,big:30,big:24,ls')));
      lab.turn = 'another model';
      await resume(script('ls,bash:date'), { model: agent.other });
      lab.turn = 'the model is back';
      await resume(script('bash:date,ls'));
    },
  },
  {
    name: 'memory',
    async run({ lab, agent, resume }) {
      const [file] = memoryOf(agent);
      await lab.run(agent.prompt(script('ls,big:8,bash:date')));
      const more = Array.from({ length: 90 }, (_, i) => `- Added rule ${i}: a stone stays where the river left it.`);
      appendFileSync(path.join(lab.folder, file), `${more.join('\n')}\n`);
      lab.turn = 'memory was changed';
      await resume(script('ls,bash:date'));
      lab.turn = 'the agent changes memory';
      await resume(
        script(`bash:for i in $(seq 60); do echo "- Late rule $i of copper and light." >> ${file}; done,ls`),
      );
      lab.turn = 'memory was changed by the agent';
      await resume(script('bash:date,ls'));
    },
  },
  {
    name: 'servers',
    can: (agent) => agent.switchesServers,
    async run({ lab, agent, resume }) {
      await lab.run(agent.prompt(script('ls,mcp:3,big:6,ls')));
      configure(lab, agent, { server: undefined });
      lab.turn = 'the server is gone';
      await resume(script('ls,bash:date'));
      configure(lab, agent, {});
      lab.turn = 'the server is back';
      await resume(script('bash:date,ls'));
    },
  },
  {
    name: 'images',
    async run({ lab, agent, resume }) {
      writeFileSync(path.join(lab.folder, 'picture.png'), picture(640, 480));
      await lab.run(agent.prompt(script('ls,look:picture.png,ls,bash:date')));
      lab.turn = 'continued';
      await resume(script('ls,bash:date'));
    },
  },
  {
    name: 'interrupts',
    async run({ lab, agent, resume }) {
      await lab.run(agent.prompt(script('ls,big:8,fault:hang+ls,bash:date')));
      lab.turn = 'after an interrupt';
      await resume(script('ls,bash:date'));
    },
  },
  {
    name: 'branches',
    can: (agent) => agent.screen && agent.clears,
    async run({ agent, typed }) {
      await typed(agent.screen, [
        { text: script('ls,big:10,ls') },
        { keys: agent.clears, turn: 'cleared' },
        { text: script('bash:date,ls') },
        ...(agent.rewinds ? [{ keys: agent.rewinds, turn: 'rewound' }, { text: script('ls') }] : []),
      ]);
    },
  },
  {
    name: 'sight',
    async run({ lab, agent, resume, compact }) {
      makeFiles(lab.folder);
      lab.sight = true;
      const first = [
        'show:one.go,edit:one.go:21:22:3,outside:one.go:60:62:2,show:two.go:1:100,sed:two.go:121:160,number:two.go:91:130',
        'outside:two.go:129:133:1,head:two.go:20,outside:two.go:31:30:4,grep:two.go:call7,cat:three.go,outside:three.go:9:12:3',
        'show:one.go:50:80,edit:one.go:53:54:1,outside:two.go:201:204:2,ls',
      ];
      await lab.run(agent.prompt(script(first.join(','))));
      lab.turn = 'resumed';
      await resume(
        script('ls,show:three.go,edit:three.go:31:32:2,tail:two.go:12,outside:one.go:1:3:4,sed:one.go:1:20,ls'),
      );
      if (!agent.compact) return;
      await compact();
      lab.turn = 'compacted';
      await resume(
        script('ls,show:one.go:1:40,outside:one.go:7:8:2,sed:three.go:1:20,show:two.go,outside:two.go:61:64:3,ls'),
      );
    },
  },
  // Someone changes two files that the agent has read. With `sees` it reads the lines that it does not have; without,
  // it reads the files again. The growth of the input is what both cost.
  ...['asks', 'reads-again'].map((name) => ({
    name,
    can: (agent) => agent.asks,
    async run({ lab, agent, resume }) {
      makeFiles(lab.folder);
      const ctx = { command: process.argv[3], args: ['mcp'] };
      configure(lab, agent, { server: name === 'asks' ? ctx : undefined });
      await lab.run(agent.prompt(script('show:one.go,show:two.go,ls')));
      lab.turn = 'files were changed';
      const before = 'outside:one.go:60:62:2,outside:two.go:129:133:1,outside:two.go:31:30:4';
      await resume(
        script(
          `${before},${name === 'asks' ? 'sees:one.go:two.go,rest:one.go+rest:two.go' : 'show:one.go+show:two.go'}`,
        ),
      );
      const main = lab.provider.requests.filter((each) => each.kind === 'main');
      const from = main.findLast((each) => /^(sees|show)/.test(each.step));
      console.error(`${name}: ${main.at(-1).input - from.input} tokens read, ${main[0].input} at the first request`);
    },
  })),
  {
    name: 'two',
    async run({ lab, agent }) {
      const known = async () => JSON.parse((await lab.ask(['sessions', '--json'])).output).sessions;
      const a = lab.run(agent.prompt(script('ls,bash:sleep 2,bash:sleep 3; date,big:6,bash:sleep 2,ls', 'STREAM:a')));
      while (!lab.provider.requests.some((each) => each.stream === 'a' && each.at > 1)) await pause(200);
      const [first] = await known();
      const b = lab.run(agent.prompt(script('big:12,bash:sleep 1,bash:sleep 1; date,big:9,ls', 'STREAM:b')));
      await Promise.all([a, b]);
      const second = (await known()).find((each) => each.session !== first?.session);
      lab.streams = { [first?.session]: 'a', [second?.session]: 'b' };
    },
  },
];
