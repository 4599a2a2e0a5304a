// Copyright The ctx-lsp authors. MIT licence.

// Markdown as chat pages render it: React's pages by remark with its plugins for formulas and colours, others by
// markdown-it, with the frame and the heading that the sites put around code.
import hljs from 'highlight.js';
import markdownIt from 'markdown-it';
import rehypeHighlight from 'rehype-highlight';
import rehypeKatex from 'rehype-katex';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

const react = unified()
  .use(remarkParse)
  .use(remarkGfm)
  // A single dollar begins a price more often than a formula, and the sites render none of these.
  .use(remarkMath, { singleDollarTextMath: false })
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(() => shownAsText)
  .use(rehypeKatex)
  .use(rehypeHighlight, { detect: false })
  .use(rehypeStringify);

/** HTML in an answer is shown and not obeyed. */
function shownAsText(node) {
  if (node.type === 'raw') node.type = 'text';
  for (const child of node.children ?? []) shownAsText(child);
}

const other = markdownIt({
  linkify: false,
  highlight: (text, language) => (hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : ''),
});

/** The frame of chatgpt.com: the language and a button within `pre`. */
const chatgpt = (html) =>
  html.replace(
    /<pre><code( class="[^"]*?language-([^\s"]*)[^"]*")?>/g,
    (_, attributes = '', language = '') =>
      `<pre><div class="head"><div>${language}</div><button>Copy</button></div><code${attributes}>`,
  );

/** The frame of gemini.google.com: a heading beside `pre`, which alone names the language. */
const gemini = (html) =>
  html
    .replace(
      /<pre><code(?: class="[^"]*?language-([^\s"]*)[^"]*")?>/g,
      (_, language = '') =>
        `<code-block><div class="code-block"><div class="decoration"><span>${language.replace(/^./, (c) => c.toUpperCase())}</span>` +
        `<div class="buttons"><button>Copy</button></div></div><div class="inner"><div class="fade"><pre><code>`,
    )
    .replaceAll('</pre>', '</pre></div></div></div></code-block>');

export const renderers = {
  'remark, KaTeX and highlight.js, as React renders it': (text) => String(react.processSync(text)),
  'the same in the frames of chatgpt.com': (text) => chatgpt(String(react.processSync(text))),
  'markdown-it and highlight.js': (text) => other.render(text),
  'the same in the frames of gemini.google.com': (text) => gemini(other.render(text)),
};
