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
  system: '#9a6700',
  memory: '#9a6700',
  prefix: '#9a6700',
};

const arrow = (colour: string): string =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='6'%3E%3Cpath d='M1 1l4 4 4-4' fill='none' stroke='%23${colour}' stroke-width='1.5'/%3E%3C/svg%3E")`;

/** The badge's own style. The page's style does not apply inside its shadow root. */
export const style = `
:host { all: initial !important; }
.badge, .sending {
  --text: #1f2328; --quiet: #59636e; --ground: #ffffff; --edge: #d0d7de; --link: #0969da; --rest: #d8dee4;
  --soon: #9a6700; --now: #cf222e; --field: #f6f8fa; --arrow: ${arrow('59636e')};
  position: fixed; z-index: 2147483000; box-sizing: border-box; text-align: start; color-scheme: light;
  display: block; inset: auto; margin: 0; padding: 0; border: 0; background: none; overflow: visible;
  font: 12px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums; color: var(--text);
}
:is(.badge, .sending)[data-theme=dark] {
  --text: #e6edf3; --quiet: #9198a1; --ground: #161b22; --edge: #3d444d; --link: #4493f8; --rest: #3d444d;
  --soon: #d29922; --now: #f85149; --field: #21262d; --arrow: ${arrow('9198a1')}; color-scheme: dark;
}
[hidden] { display: none !important; }
button { all: unset; cursor: pointer; border-radius: 12px; }
:is(button, select, summary):focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.line, .panel, .sending { background: var(--ground); border: 1px solid var(--edge); }
.line { display: flex; align-items: center; gap: 6px; padding: 2px 10px; white-space: nowrap; touch-action: none; max-width: calc(100vw - 24px); box-sizing: border-box; }
.line > span { overflow: hidden; text-overflow: ellipsis; }
.badge.noRoom:not(.open) { visibility: hidden; }
.badge.dragged .line { cursor: grabbing; }
.ring { width: 14px; height: 14px; transform: rotate(-90deg); flex: none; }
.ring circle { fill: none; stroke-width: 7; } .ring .rest { stroke: var(--rest); } .ring .part { stroke: var(--link); }
.badge[data-level=soon] .line { border-color: var(--soon); } .badge[data-level=soon] .part { stroke: var(--soon); }
.badge:is([data-level=now], [data-level=over]) .line { border-color: var(--now); }
.badge:is([data-level=now], [data-level=over]) .part { stroke: var(--now); }
.panel {
  display: none; position: absolute; padding: 12px 14px; width: var(--across, 340px); box-sizing: border-box;
  max-height: min(var(--room, 60vh), 700px); overflow: auto; border-radius: 12px; box-shadow: 0 4px 16px #0003;
  overscroll-behavior: contain;
}
.badge.open .panel { display: block; }
.up .panel { bottom: calc(100% + 6px); } .down .panel { top: calc(100% + 6px); }
.badge.atLeft .panel { left: calc(0px - var(--beyond, 0px)); } .badge.atRight .panel { right: calc(0px - var(--beyond, 0px)); }
.head { display: flex; gap: 12px; justify-content: space-between; margin: 0 0 8px; font-size: 13px; }
.at-ask label { display: block; margin: 0 0 10px; padding: 8px 10px; border-radius: 8px; background: var(--field); }
.at-ask span { display: block; margin: 0 0 6px; }
select {
  appearance: none; font: inherit; color: inherit; width: 100%; padding: 4px 26px 4px 8px; cursor: pointer;
  border: 1px solid var(--edge); border-radius: 6px; background: var(--ground) var(--arrow) no-repeat right 9px center;
}
[dir=rtl] select { padding: 4px 8px 4px 26px; background-position: left 9px center; }
option { color: var(--text); background: var(--ground); }
.bar { display: flex; height: 8px; border-radius: 4px; overflow: hidden; background: var(--rest); margin: 0 0 8px; }
.bar span { flex: none; min-width: 1px; }
table { border-collapse: collapse; width: 100%; } td { padding: 1px 0; padding-inline-start: 10px; vertical-align: top; }
td:first-child { padding-inline-start: 14px; overflow-wrap: anywhere; }
tfoot td:first-child { padding-inline-start: 0; } td + td { text-align: end; white-space: nowrap; }
td:nth-child(3) { color: var(--quiet); width: 5ch; }
.file td { color: var(--quiet); }
.file span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
tfoot tr:first-child td { border-top: 1px solid var(--edge); padding-top: 4px; }
tbody tr:last-child td { padding-bottom: 4px; }
td i { display: inline-block; width: 8px; height: 8px; border-radius: 2px; margin-inline: -14px 6px; }
td i, .bar span { background: #6e7781; }
${Object.entries(colours)
  .map(([kind, colour]) => `[data-kind=${kind}]:is(i, span) { background: ${colour}; }`)
  .join('\n')}
.note, .limit, .status { color: var(--quiet); margin: 4px 0 0; }
.at-window { margin-top: 8px; }
.note.missing { color: var(--text); margin: 0 0 8px; padding-inline-start: 8px; border-inline-start: 3px solid var(--soon); }
.limit { display: flex; align-items: center; gap: 8px; color: var(--text); }
.meter { flex: none; width: 60px; height: 6px; border-radius: 3px; background: var(--rest); overflow: hidden; }
.meter span { display: block; height: 100%; background: var(--part, var(--link)); }
.limit[data-level=soon] { --part: var(--soon); } .limit[data-level=now] { --part: var(--now); }
details { margin-top: 8px; } summary { cursor: pointer; border-radius: 4px; }
.large { display: flex; box-sizing: border-box; width: 100%; gap: 12px; justify-content: space-between; padding: 2px 4px; border-radius: 4px; }
.large:hover { background: var(--field); }
.large span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--link); unicode-bidi: plaintext; }
.actions { display: flex; flex-wrap: wrap; gap: 6px 14px; margin-top: 10px; padding-top: 8px; border-top: 1px solid var(--edge); }
.actions button, .undo { color: var(--link); } :is(.actions button):hover, .undo { text-decoration: underline; }
.status:empty { display: none; }
.sending {
  display: flex; align-items: start; gap: 10px; max-width: min(320px, calc(100vw - 16px)); padding: 8px 12px;
  border-radius: 10px; border-color: var(--soon); box-shadow: 0 4px 16px #0003;
}
.sending[data-passes=window] { border-color: var(--now); }
.sending button { padding: 0 4px; color: var(--quiet); font-size: 14px; line-height: 1.2; }
.aloud { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .line, .panel, .sending { border: 2px solid CanvasText; } .bar span, td i { forced-color-adjust: none; }
  .bar, .meter { border: 1px solid CanvasText; } .meter span { background: Highlight; forced-color-adjust: none; }
  .ring { forced-color-adjust: none; } .ring .rest { stroke: none; } .badge .ring .part { stroke: CanvasText; }
  }
@media print { .badge, .sending { display: none; } }
`;
