// Copyright The ctx-lsp authors. MIT licence.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { load as loadCore } from '../../../wasm/js/ctx.js';
import { holds, same } from './expect.mjs';
import { realAnswers } from './real.mjs';
import { renderers } from './rendered.mjs';
import { load } from './source.mjs';

const root = join(import.meta.dirname, '../../..');
const katex = (source) =>
  `<span class="katex"><span class="katex-mathml"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">` +
  `${source}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">E=mc</span></span>`;

/** Messages are read as they were written, whatever a page has made of them. */
export async function writtenText({ test }) {
  const { written } = await load('content/written.ts');
  const { known } = await load('adapter/index.ts');
  // How the sites render written text.
  const lines = known.flatMap((s) => s.lines).join();
  const tracking = known.flatMap((s) => s.tracking.map((p) => new RegExp(p)));
  const read = (html, without = 'button, [aria-hidden="true"]') => {
    const { window } = new JSDOM(`<!doctype html><div id="message">${html}</div>`);
    const text = written(window.document.getElementById('message'), without, { lines, tracking });
    window.close();
    return text;
  };

  const shapes = {
    'plain text with its line breaks': ['one\n  two\n\nthree', 'one\n  two\n\nthree'],
    'a blank at the end': ['<p>one </p>', 'one '],
    paragraphs: ['<p>One.</p>\n<p>Two<br>\nthree.</p>', 'One.\n\nTwo\nthree.'],
    'lines of a question': ['<p class="query-text-line">a</p><p class="query-text-line">b</p>', 'a\nb'],
    'boxes in boxes': ['<div><div>a</div><div><div>b</div></div></div>c', 'a\nb\nc'],
    headings: ['<h1>A</h1><h3>B <em>c</em></h3><p>d</p>', '# A\n\n### B *c*\n\nd'],
    marks: [
      '<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e`f</code> <b> g </b><i></i></p>',
      'a **b** *c* ~~d~~ ``e`f``  **g** ',
    ],
    'a list, and one within it': [
      '<ul>\n<li>a\n<ol start="9">\n<li>b</li>\n<li>c</li>\n</ol>\n</li>\n<li>d</li>\n</ul>',
      '- a\n  9. b\n  10. c\n- d',
    ],
    'a list of paragraphs': ['<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>', '- a\n\n  b\n\n- c'],
    'a list to tick off': [
      '<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
      '- [x] a\n- [ ] b',
    ],
    'a quotation': ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n> \n> b'],
    'a table': [
      '<div class="wrap"><table><thead><tr><th>a</th><th style="text-align:right">b</th></tr></thead><tbody><tr><td>1|2</td><td><code>3</code></td></tr></tbody></table><button>Copy</button></div>',
      '| a | b |\n|---|---:|\n| 1\\|2 | `3` |',
    ],
    'code with its language': [
      '<pre><code class="hljs language-js"><span>if</span> (a)\n\n  <span>b</span>()\n</code></pre>',
      '```js\nif (a)\n\n  b()\n```',
    ],
    'code with fences in it': ['<pre><code>```js\na\n```\n</code></pre>', '````\n```js\na\n```\n````'],
    'code that says its language in its frame': [
      '<pre><div><div>python</div><div><button>Copy</button></div><div><code>a = 1\n</code></div></div></pre>',
      '```python\na = 1\n```',
    ],
    'code that says its language beside it': [
      '<div><div>Python</div><button>Copy</button><div><pre><code>a = 1</code></pre></div></div>',
      '```python\na = 1\n```',
    ],
    'code below a sentence': ['<p>Python</p><pre><code>a = 1</code></pre>', 'Python\n\n```\na = 1\n```'],
    'code in an editor': [
      '<pre><div class="cm-editor"><div class="cm-content"><div class="cm-line">a</div><div class="cm-line"><br></div><div class="cm-line">  b</div></div></div></pre>',
      '```\na\n\n  b\n```',
    ],
    'code in an editor with breaks': [
      '<pre><div class="cm-content"><span>a</span><br><span>  b</span></div></pre>',
      '```\na\n  b\n```',
    ],
    links: [
      '<a href="https://a.org/x?utm_source=chatgpt.com">b</a> <a href="https://a.org">a.org</a> <a href="a.md">a.md</a> <a href="https://a.org/%C3%A4">c</a> <a>d</a>',
      '[b](https://a.org/x) a.org [a.md](a.md) [c](https://a.org/ä) d',
    ],
    'a formula, once': [`<p>so ${katex('E=mc^2')}.</p>`, 'so $E=mc^2$.'],
    'a formula by itself': [
      `<p>so</p><span class="katex-display">${katex('\\frac12')}</span>`,
      'so\n\n$$\n\\frac12\n$$',
    ],
    'formulas of Gemini': [
      '<p>so <span class="math-inline" data-math="x^2">x2</span></p><div class="math-block" data-math="y">y</div>',
      'so $x^2$\n\n$$\ny\n$$',
    ],
    "without the page's own parts": [
      '<div><p>a<button>Copy</button></p><svg><title>x</title></svg><style>b{}</style></div>',
      'a',
    ],
    'a question that is being edited': ['<div><textarea>a\nb</textarea><button>Save</button></div>', 'a\nb'],
    'an own element around paragraphs': ['<message-content><p>a</p><p>b</p></message-content>', 'a\n\nb'],
    nothing: [' <div> </div>\n', ''],
  };
  for (const [name, [html, want]] of Object.entries(shapes))
    await test(`as it was written: ${name}`, () => same(read(html), want, html));

  const folder = process.env.CTX_TRANSCRIPTS;
  if (!folder) {
    console.log('skip  100 real answers: CTX_TRANSCRIPTS names no folder of recorded sessions');
    return;
  }
  const answers = await realAnswers(folder, 100);
  const core = await loadCore(await readFile(join(root, 'wasm/js/ctx.wasm')), {
    vocabularies: (name) => readFile(join(root, `internal/assets/${name}.ctxv`)),
  });
  const count = async (text) => (await core.call('ctx/count', { text, encoding: 'o200k_base' })).tokens;
  for (const [name, render] of Object.entries(renderers))
    await test(`as it was written: 100 real answers by ${name}`, async () => {
      same(answers.length, 100, 'answers');
      const off = [];
      let [want, got] = [0, 0];
      for (const text of answers) {
        const [a, b] = [await count(text), await count(read(render(text)))];
        want += a;
        got += b;
        off.push((100 * (b - a)) / a);
      }
      const sum = (100 * (got - want)) / want;
      const most = off.reduce((x, y) => (Math.abs(y) > Math.abs(x) ? y : x));
      console.log(`      sum ${sum.toFixed(2)} %, farthest ${most.toFixed(1)} %, of ${want} tokens`);
      holds(Math.abs(sum) <= 1 && Math.abs(most) <= 3, `sum ${sum} %, farthest ${most} %`);
    });
}
