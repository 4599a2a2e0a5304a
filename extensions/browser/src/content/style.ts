// Copyright The ctx-lsp authors. MIT licence.

/** The badge's own style. The page's style does not reach into its root. */
export const style = `
:host { all: initial !important; }
.badge {
  position: fixed; z-index: 2147483000; margin: 12px; max-width: min(360px, calc(100vw - 24px)); box-sizing: border-box;
  font: 12px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums; text-align: left;
  color: #1f2328; background: #ffffffee; border: 1px solid #d0d7de; border-radius: 12px; transition: opacity .15s;
}
button { all: unset; cursor: pointer; border-radius: 12px; }
button:focus-visible { outline: 2px solid #0969da; outline-offset: 1px; }
.line { display: block; padding: 2px 10px; }
.badge[data-level=soon] { border-color: #9a6700; background: #fff8c5f2; }
.badge[data-level=now], .badge[data-level=over] { border-color: #cf222e; background: #ffebe9f2; }
.top { top: 44px } .bottom { bottom: 0 } .left { left: 0 } .right { right: 0 }
.panel { display: none; padding: 2px 10px 8px; min-width: 220px; max-height: 50vh; overflow: auto; }
.badge:hover .panel, .badge.open .panel { display: block; }
.badge.closed .panel { display: none; }
table { border-collapse: collapse; width: 100%; } td { padding: 0 0 0 8px; } td:first-child { padding: 0; } td + td { text-align: right; }
.note { color: #59636e; margin: 4px 0 0; }
.actions { display: flex; gap: 12px; margin-top: 6px; } .actions button { color: #0969da; text-decoration: underline; }
.aloud { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-color-scheme: dark) {
  .badge { color: #e6edf3; background: #161b22ee; border-color: #3d444d; }
  .badge[data-level=soon] { border-color: #d29922; background: #3b2e00f2; }
  .badge[data-level=now], .badge[data-level=over] { border-color: #f85149; background: #4b1113f2; }
  .note { color: #9198a1; } .actions button { color: #4493f8; } button:focus-visible { outline-color: #4493f8; }
}
@media (prefers-reduced-motion: reduce) { .badge { transition: none; } }
@media (forced-colors: active) { .badge { border: 2px solid CanvasText; } }
@media print { .badge { display: none; } }
`;
