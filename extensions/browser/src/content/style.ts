// Copyright The ctx-lsp authors. MIT licence.

const colours = {
  user: '#0969da',
  assistant: '#8250df',
  reasoning: '#bf3989',
  toolCalls: '#1b7c83',
  toolResults: '#1a7f37',
  documents: '#1a7f37',
  media: '#bc4c00',
  messages: '#0969da',
};

/** The badge's own style. The page's style does not reach into its root. */
export const style = `
:host { all: initial !important; }
.badge {
  --text: #1f2328; --quiet: #59636e; --ground: #ffffff; --edge: #d0d7de; --link: #0969da; --rest: #d8dee4;
  --soon: #9a6700; --now: #cf222e;
  position: fixed; z-index: 2147483000; box-sizing: border-box; text-align: start;
  font: 12px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums; color: var(--text);
}
.badge[data-theme=dark] {
  --text: #e6edf3; --quiet: #9198a1; --ground: #161b22; --edge: #3d444d; --link: #4493f8; --rest: #3d444d;
  --soon: #d29922; --now: #f85149;
}
button { all: unset; cursor: pointer; border-radius: 12px; }
button:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.line, .panel { background: var(--ground); border: 1px solid var(--edge); }
.line { display: flex; align-items: center; gap: 6px; padding: 2px 10px; white-space: nowrap; touch-action: none; }
.badge.dragged .line { cursor: grabbing; }
.ring { width: 14px; height: 14px; transform: rotate(-90deg); flex: none; }
.ring circle { fill: none; stroke-width: 7; } .ring .rest { stroke: var(--rest); } .ring .part { stroke: var(--link); }
.badge[data-level=soon] .line { border-color: var(--soon); } .badge[data-level=soon] .part { stroke: var(--soon); }
.badge:is([data-level=now], [data-level=over]) .line { border-color: var(--now); }
.badge:is([data-level=now], [data-level=over]) .part { stroke: var(--now); }
.panel {
  display: none; position: absolute; padding: 10px 12px; width: min(340px, calc(100vw - 24px)); box-sizing: border-box;
  max-height: min(var(--room, 60vh), 480px); overflow: auto; border-radius: 12px; box-shadow: 0 4px 16px #0003;
}
.badge.open .panel { display: block; }
.up .panel { bottom: calc(100% + 6px); } .down .panel { top: calc(100% + 6px); }
.badge.atLeft .panel { left: 0; } .badge.atRight .panel { right: 0; }
.head { font-weight: 600; margin: 0 0 6px; }
.bar { display: flex; height: 8px; border-radius: 4px; overflow: hidden; background: var(--rest); margin: 0 0 8px; }
table { border-collapse: collapse; width: 100%; } td { padding: 1px 0; padding-inline-start: 10px; }
td:first-child { padding-inline-start: 0; } td + td { text-align: end; white-space: nowrap; }
td:nth-child(3) { color: var(--quiet); width: 5ch; }
tfoot tr:first-child td { border-top: 1px solid var(--edge); }
td i { display: inline-block; width: 8px; height: 8px; border-radius: 2px; margin-inline-end: 6px; }
td i, .bar span { background: #6e7781; }
${Object.entries(colours)
  .map(([kind, colour]) => `[data-kind=${kind}]:is(i, span) { background: ${colour}; }`)
  .join('\n')}
.note { color: var(--quiet); margin: 4px 0 0; }
.actions { display: flex; flex-wrap: wrap; gap: 4px 12px; margin-top: 8px; }
.actions button, .undo { color: var(--link); text-decoration: underline; }
.aloud { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .line, .panel { border: 2px solid CanvasText; } }
@media print { .badge { display: none; } }
`;
