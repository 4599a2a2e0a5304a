// Copyright The ctx-lsp authors. MIT licence.

// In the test builds a page can ask for the conformance vectors to be run in the worker, and for what the badge shows.
// While a browser stops or starts a worker, a message has no receiver; a later one arrives.
const send = (type, tries = 10) =>
  chrome.runtime.sendMessage({ type }).catch(async (fault) => {
    if (tries === 1) throw fault;
    await new Promise((r) => setTimeout(r, 1000));
    return send(type, tries - 1);
  });

for (const type of ['conformance', 'shown']) {
  window.addEventListener('message', (e) => {
    if (e.data?.ask !== type) return;
    send(type).then(
      (answer) => window.postMessage({ reply: type, answer }),
      (fault) => window.postMessage({ reply: type, answer: { passed: 0, failures: [String(fault)] } }),
    );
  });
}

// The page itself cannot look into the badge's closed root. What a selector finds there: texts, places and some style.
window.addEventListener('message', (e) => {
  if (e.data?.ask !== 'look') return;
  const host = document.querySelector('ctx-lsp-badge');
  const root = host && (host.openOrClosedShadowRoot ?? chrome.dom.openOrClosedShadowRoot(host));
  const found = [...(root?.querySelectorAll(e.data.selector) ?? [])].map((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const { color, backgroundColor, direction } = getComputedStyle(element);
    return { text: element.textContent, left, top, right, bottom, color, backgroundColor, direction };
  });
  window.postMessage({ reply: 'look', answer: root ? found : null });
});
