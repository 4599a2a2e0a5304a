// Copyright The ctx-lsp authors. MIT licence.

/** The style of the picker, in its own shadow root. */
export const pickStyle = `
:host { all: initial !important; }
.bar {
  position: fixed; z-index: 2147483001; bottom: 12px; left: 50%; transform: translateX(-50%); box-sizing: border-box;
  width: max-content; max-width: calc(100vw - 24px); padding: 10px 14px; border-radius: 12px; border: 1px solid #d0d7de;
  background: #fff; color: #1f2328; font: 14px/1.4 system-ui, sans-serif; box-shadow: 0 4px 16px #0004;
}
p { margin: 0 0 8px; }
button { font: inherit; margin-inline-end: 8px; padding: 3px 12px; border: 1px solid #d0d7de; border-radius: 6px; background: #f6f8fa; color: inherit; cursor: pointer; }
button:focus-visible { outline: 2px solid #0969da; outline-offset: 1px; }
i { position: fixed; z-index: 2147483000; box-sizing: border-box; pointer-events: none; border: 2px solid #0969da; background: #0969da1a; border-radius: 4px; }
i.answer { border-color: #8250df; background: #8250df1a; }
@media (prefers-color-scheme: dark) {
  .bar { background: #161b22; color: #e6edf3; border-color: #3d444d; } button { background: #21262d; border-color: #3d444d; }
}
`;
