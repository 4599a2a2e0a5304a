// Copyright The ctx-lsp authors. MIT licence.

// The page that reads a dropped transcript. The worker does the work; this file handles user actions and the display.

import { by, exact } from './page.js';
import { session } from './show.js';

const [drop, file, sample, stop, progress] = ['drop', 'file', 'sample', 'stop', 'progress'].map(by);
const [ready, fault, reading] = ['ready', 'fault', 'reading'].map(by);
const [text, model, tokens] = ['counted', 'model', 'tokens'].map(by);
/** The longest text that is counted while the user types. */
const maxText = 4e6;

let worker;
let asked = 0;
let waiting = new Map();

/** Starts a worker; a previous one is terminated, whatever it was doing. */
function begin() {
  worker?.terminate();
  for (const settle of waiting.values()) settle({ stopped: true });
  waiting = new Map();
  worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => {
    if (data.ready) {
      ready.textContent = 'The core is loaded. Nothing else will be loaded.';
      for (const control of [file, sample]) control.disabled = false;
      document.body.dataset.ready = 'true';
    } else if (data.failed) {
      ready.textContent = '';
      complain(data.failed);
    } else if (data.progress !== undefined) {
      progress.value = data.progress;
    } else {
      const settle = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.dead) begin();
      settle?.(data);
    }
  });
  worker.addEventListener('error', (event) =>
    complain(`The core stopped: ${event.message ?? 'it could not be loaded'}. Reload this page.`),
  );
}

const ask = (question) =>
  new Promise((resolve) => {
    waiting.set(++asked, resolve);
    worker.postMessage({ ...question, id: asked });
  });

function complain(sentence) {
  fault.textContent = sentence;
  fault.hidden = sentence === '';
}

async function read(files) {
  complain('');
  if (waiting.size > 0 && !stop.hidden) begin(); // a second file does not wait for the first
  reading.hidden = true;
  reading.replaceChildren();
  delete document.body.dataset.shown;
  progress.value = 0;
  progress.hidden = stop.hidden = false;
  const turn = ++turns;
  const { answer, fault: why, unexpected, stopped } = await ask({ files });
  if (turn !== turns) return;
  progress.hidden = stop.hidden = true;
  if (stopped) {
    complain('Reading was stopped.');
  } else if (why !== undefined) {
    complain(unexpected ? `The file could not be read: ${why}` : why);
  } else {
    reading.replaceChildren(...session(answer, files[0].name));
    reading.hidden = false;
    by('named').focus();
  }
  document.body.dataset.shown = String(turn);
}
let turns = 0;

file.addEventListener('change', () => {
  if (file.files.length > 0) read([...file.files]);
  file.value = ''; // choosing the same file again must trigger another event
});
stop.addEventListener('click', begin);
// Like everything else, the sample is loaded in advance.
const shown = fetch(new URL('./sample.jsonl', import.meta.url)).then((response) => response.blob());
sample.addEventListener('click', async () => read([new File([await shown], 'sample.jsonl')]));

for (const kind of ['dragenter', 'dragover']) {
  addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = file.disabled ? 'none' : 'copy';
    drop.classList.add('over');
  });
}
addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) drop.classList.remove('over');
});
addEventListener('drop', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  drop.classList.remove('over');
  if (file.disabled) complain('The core is still being loaded.');
  else read([...event.dataTransfer.files]);
});

let again = false;
let counting = false;
/** Counts the text, one request at a time: text typed in the meantime is counted afterwards. */
async function count() {
  if (counting) {
    again = true;
    return;
  }
  counting = true;
  do {
    again = false;
    if (text.value.length > maxText) {
      tokens.textContent = `This text has ${exact(text.value.length)} characters, which is too much to count while you type. ctx-lsp count FILE counts it.`;
    } else {
      const { answer, fault: why, stopped } = await ask({ text: text.value, model: model.value });
      if (answer) {
        const basis = answer.encoding
          ? `${answer.basis} in ${answer.encoding}`
          : 'estimated; the vocabulary of this model is not public';
        tokens.textContent = `${answer.basis === 'estimated' ? '~' : ''}${exact(answer.tokens)} ${answer.tokens === 1 ? 'token' : 'tokens'}, ${basis}`;
      } else if (!stopped) {
        tokens.textContent = why;
      }
    }
  } while (again);
  counting = false;
}
text.addEventListener('input', count);
model.addEventListener('change', count);

if (typeof WebAssembly === 'object') begin();
else
  complain('This browser has no WebAssembly, or it is switched off. The program needs no browser: npx ctx-lsp status');
