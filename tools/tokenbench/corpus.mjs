// Copyright The ctx-lsp authors. MIT licence.

// Makes the texts that the benchmark counts, one file per class, from things that every machine can install: the Debian
// handbook in its languages, the sources of the Go toolchain, npm packages, and generators with a fixed seed.
//
//   node corpus.mjs HANDBOOK GOROOT NPM NODE_MODULES OUTPUT
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [handbook, goroot, npm, modules, output] = process.argv.slice(2);
const most = 400_000; // bytes of a file
mkdirSync(output, { recursive: true });

const cut = (bytes) => {
  let end = Math.min(bytes.length, most);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
};
const write = (name, text) => {
  const bytes = cut(Buffer.from(text, 'utf8'));
  writeFileSync(join(output, `${name}.txt`), bytes);
  console.log(`${name.padEnd(12)} ${bytes.length}`);
};
const files = (folder, suffix) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile() && f.name.endsWith(suffix))
    .map((f) => join(f.parentPath ?? f.path, f.name))
    .sort();
const gather = (paths) => {
  let text = '';
  for (const path of paths) {
    text += readFileSync(path, 'utf8');
    if (text.length > most) break;
  }
  return text;
};
let state = 88172645463325252n;
const random = (n) => {
  state ^= (state << 13n) & 0xffffffffffffffffn;
  state ^= state >> 7n;
  state ^= (state << 17n) & 0xffffffffffffffffn;
  return Number(state % BigInt(n));
};

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };
const strip = (html) =>
  html
    .replace(/<(script|style|head)[\s\S]*?<\/\1>/g, '')
    .replace(/<\/(p|div|li|h\d|tr|pre|title)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(+n))
    .replace(/&(\w+);/g, (all, name) => entities[name] ?? all)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n');
const pages = (language) => {
  let text = '';
  for (const path of files(join(handbook, language), '.html')) {
    text += strip(readFileSync(path, 'utf8'));
    if (Buffer.byteLength(text) > 4 * most) break;
  }
  return text;
};
// Translations leave some parts in English, so only lines in the language's own script are kept.
const own = (language, script) =>
  pages(language)
    .split('\n')
    .filter((line) => (line.match(script) ?? []).length * 2 > line.length)
    .join('\n');

write('prose_en', pages('en-US'));
write('prose_de', pages('de-DE'));
write('zh', own('zh-CN', /\p{Script=Han}/gu));
write('ja', own('ja-JP', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu));
write('ko', own('ko-KR', /\p{Script=Hangul}/gu));
write('ru', own('ru-RU', /\p{Script=Cyrillic}/gu));
write('arabic', own('ar-MA', /\p{Script=Arabic}/gu));
write('code_go', gather(files(join(goroot, 'src/net/http'), '.go')));
write(
  'code_ts',
  gather(files(join(modules, 'typescript/lib'), '.d.ts').filter((f) => /lib\.(dom|es)|typescript\.d/.test(f))),
);
write('js_min', readFileSync(join(modules, '@babel/standalone/babel.min.js'), 'utf8').slice(300_000));
write('markdown', gather([...files(join(npm, 'docs/content'), '.md'), ...files(modules, '.md')]));
const names = [
  'id',
  'name',
  'createdAt',
  'status',
  'tags',
  'parent',
  'size',
  'owner',
  'path',
  'message',
  'arguments',
  'result',
];
const words = pages('en-US').split(/\s+/).slice(0, 20000);
const value = (depth) => {
  switch (random(depth > 2 ? 4 : 6)) {
    case 0:
      return random(1_000_000);
    case 1:
      return words
        .slice(random(19000))
        .slice(0, 1 + random(12))
        .join(' ');
    case 2:
      return random(2) === 0;
    case 3:
      return `src/${words[random(20000)].toLowerCase().replace(/\W/g, '')}/index_${random(100)}.ts`;
    case 4:
      return Array.from({ length: 1 + random(4) }, () => value(depth + 1));
  }
  return Object.fromEntries(
    Array.from({ length: 2 + random(4) }, () => [names[random(names.length)], value(depth + 1)]),
  );
};
const json = (indent) => {
  const parts = [];
  for (let size = 0; size < most; ) {
    const part = JSON.stringify(
      { type: 'function_call', call_id: `call_${random(1e9).toString(36)}`, payload: value(0) },
      null,
      indent,
    );
    size += part.length;
    parts.push(part);
  }
  return parts.join('\n');
};
write('json_tools', json(2));
write('agent_jsonl', json(0));
let logs = '';
for (let at = 1700000000000; logs.length < most; ) {
  at += random(5000);
  logs += `${new Date(at).toISOString()} ${['INFO ', 'WARN ', 'DEBUG', 'ERROR'][random(4)]} [worker-${random(16)}] ${words[random(20000)]} took ${random(9000)}ms      ${random(100)}%\n`;
}
write('logs', logs);
write(
  'base64',
  Buffer.from(Array.from({ length: most }, () => random(256)))
    .toString('base64')
    .replace(/.{76}/g, '$&\n'),
);
const faces = [...'😀😂🥰👍🎉🔥✅❌🚀💡🐛🙏👀📦🧪'].concat(['👩‍💻', '👨‍👩‍👧', '🏳️‍🌈', '👍🏽', '🇪🇺']);
let emoji = '';
while (emoji.length < most / 2)
  emoji += `${words[random(20000)]} ${faces[random(faces.length)]}${random(3) ? '' : faces[random(faces.length)]} `;
write('emoji', emoji);
let mixed = '';
const tongues = ['el-GR', 'ko-KR', 'fa-IR', 'vi-VN', 'ru-RU', 'ja-JP', 'ar-MA', 'zh-TW', 'pl-PL', 'tr-TR'].map((l) =>
  pages(l)
    .split('\n')
    .filter((line) => /[^\0-\x7f]/.test(line)),
);
while (mixed.length < most / 2) mixed += `${tongues[random(10)][random(300)]}\n`;
write('multi', mixed);
