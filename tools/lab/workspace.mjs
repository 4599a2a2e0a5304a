// Copyright The ctx-lsp authors. MIT licence.

// Makes the agent's folder: a small repository with files to read, a memory file and a skill. The MCP server has twenty
// tools.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const sentence = 'The river carries the light past the window, and the paper stays quiet until the copper rings.';
const lines = (n, line) => `${Array.from({ length: n }, (_, i) => line(i)).join('\n')}\n`;

export const memory = `# Rules\n${lines(60, (i) => `- Rule ${i}: ${sentence}`)}`;
const description = 'Does what the lab wants about rivers, stones and windows, and reports how it was done.';
const skill = `---\nname: labskill\ndescription: ${description}\n---\n\n# Lab skill\n\n${lines(9, (i) => `${i} ${sentence}`)}`;

const readme = lines(40, (i) => `${i}. ${sentence}`);

/** Texts of ours whose kind is known wherever an agent puts them. Agents trim files. Some load README.md, too. */
export const givenTo = (agent) =>
  [memory, ...(agent.loadsReadme ? [readme] : [])].map((text) => ({ kind: 'memory', text: text.trim() }));

export const mcpServer = { command: process.execPath, args: [path.join(import.meta.dirname, 'mcpserver.mjs')] };

/** Makes the folder. `memoryFiles` and `skillFolders` are where the agent looks for its own. */
export function makeWorkspace(folder, { memoryFiles = ['AGENTS.md'], skillFolders = ['.agents/skills'] } = {}) {
  const write = (name, text) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('README.md', readme);
  write(
    'src/steps.go',
    lines(
      400,
      (i) => `func step${i}(a int, b string) (int, error) { if a > ${i} { return a * ${i}, nil }; return 0, nil }`,
    ),
  );
  write(
    'big.txt',
    lines(3000, (i) => `2026-11-23T12:${i % 60}:01Z level=info msg="request ${i} served" status=200 path=/items/${i}`),
  );
  for (const file of memoryFiles) write(file, memory);
  for (const each of skillFolders) write(path.join(each, 'labskill/SKILL.md'), skill);
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=lab', '-c', 'user.email=lab@localhost', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '--quiet', '.');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
}
