// Copyright The ctx-lsp authors. MIT licence.
//
// Writes the dashboard as TypeScript, so that the compiler holds it against Grafana's published types:
//   node dashboard.mjs dashboard.json > dashboard.ts
import { readFileSync } from 'node:fs';

const dashboard = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const out = ['import type { Dashboard, Panel } from "@grafana/schema";'];
// Enumerations are words in JSON and members in TypeScript: a text is accepted where one of its words is.
out.push(
  `type Words<T> = T extends string ? \`\${T}\` : T extends (infer E)[] ? Words<E>[] : T extends object ? { [K in keyof T]: Words<T[K]> } : T;`,
);
const { panels, ...rest } = dashboard;
out.push(`export const dashboard: Words<Partial<Omit<Dashboard, "panels">>> = ${JSON.stringify(rest, null, 1)};`);
for (const panel of panels) {
  out.push(`export const panel${panel.id}: Words<Panel> = ${JSON.stringify(panel, null, 1)};`);
}
console.log(out.join('\n'));
