// Copyright The ctx-lsp authors. MIT licence.

// In the test builds a page can ask for the conformance vectors to be run in the worker.
window.addEventListener('message', (e) => {
  if (e.data?.ctxConformance !== 'run') return
  chrome.runtime.sendMessage({ type: 'conformance' }, (answer) => window.postMessage({ ctxConformance: answer ?? { passed: 0, failures: [chrome.runtime.lastError?.message] } }))
})
