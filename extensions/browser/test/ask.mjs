// Copyright The ctx-lsp authors. MIT licence.

// In the test builds a page can ask for the conformance vectors to be run in the worker, and for what the badge shows.
for (const type of ['conformance', 'shown']) {
  window.addEventListener('message', (e) => {
    if (e.data?.ask !== type) return;
    chrome.runtime.sendMessage({ type }).then(
      (answer) => window.postMessage({ told: type, answer }),
      (fault) => window.postMessage({ told: type, answer: { passed: 0, failures: [String(fault)] } }),
    );
  });
}
