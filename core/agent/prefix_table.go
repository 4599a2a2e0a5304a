// Copyright The ctx-lsp authors. MIT licence.

package agent

// builtInTable has what system prompts and built-in tools take: numbers and no
// text. Each was measured once: the published package of the version that the
// line names was run without an account, a server on the same machine stood in
// for the provider's, and what the package sent was counted. Claude Code's were
// counted with the reconstruction of its tokenizer that `ctx-lsp vocab fetch`
// names, the others' with o200k. From 2.1.277 on Claude Code records its own.
// The columns are agent, version, model, whose tokens they are, the fixed part
// of the system prompt, the rest of it, all tools, those that are loaded where
// others are deferred, and a tool that not all sessions have.
const builtInTable = `
claude-code 1.0.86 * own 14 2944 11403 - -
claude-code 2.0.14 * own 14 2008 11805 - -
claude-code 2.0.76 * own 14 2839 15241 - -
claude-code 2.1.7 * own 14 2714 16685 - -
claude-code 2.1.17 * own 43 2214 15820 - -
claude-code 2.1.29 * own 43 2209 15594 - -
claude-code 2.1.37 * own 50 2256 15686 - -
claude-code 2.1.39 * own 50 2258 15612 - -
claude-code 2.1.45 * own 50 2251 15923 - -
claude-code 2.1.49 * own 50 2335 16018 - -
claude-code 2.1.62 * own 50 3083 16465 - -
claude-code 2.1.89 * own 2612 3582 18396 8949 -
claude-code 2.1.98 * own 2612 3574 18396 8943 -
claude-code 2.1.112 claude-opus-4-7 own 138 8136 27042 10860 -
claude-code 2.1.126 claude-opus-4-7 own 3196 5039 25525 10860 -
claude-code 2.1.161 claude-sonnet-4-6 own 2237 3858 18396 9071 5411
claude-code 2.1.161 claude-opus-4-6 own 2237 3858 18396 9071 5411
claude-code 2.1.161 claude-haiku-4-5 own 2237 3858 18396 9071 5411
claude-code 2.1.170 claude-opus-4-8 own 520 1638 20023 8668 7628
claude-code 2.1.170 claude-fable-5 own 520 2714 20023 8668 7628
claude-code 2.1.179 claude-opus-4-8 own 520 1639 20023 8127 7729
claude-code 2.1.209 claude-fable-5 own 533 3059 20510 9085 7804
claude-code 2.1.209 claude-sonnet-5 own 3423 5408 26598 14111 7804
claude-code 2.1.217 claude-opus-5 own 533 1718 21008 9010 7804
claude-code 2.1.217 claude-opus-4-8 own 533 1748 21008 9010 7804
claude-code 2.1.217 claude-fable-5 own 533 3062 21008 9010 7804
claude-code 2.1.217 claude-sonnet-5 own 3424 5408 27096 14364 7804
opencode 1.2.20 *codex o200k 1652 - 7112 - -
opencode 1.2.20 gpt- o200k 1646 - 7112 - -
opencode 1.2.20 *claude o200k 1728 - 8387 - -
opencode 1.2.20 *gemini o200k 3341 - 8387 - -
opencode 1.2.20 * o200k 2112 - 8387 - -
opencode 1.14.34 *codex o200k 1682 - 6998 - -
opencode 1.14.34 gpt- o200k 1972 - 6998 - -
opencode 1.14.34 *claude o200k 1757 - 8088 - -
opencode 1.14.34 *gemini o200k 3370 - 8088 - -
opencode 1.14.34 * o200k 1930 - 8088 - -
opencode 1.18.21 *codex o200k 1807 - 3896 - -
opencode 1.18.21 gpt-4.1 o200k 2543 - 3896 - -
opencode 1.18.21 gpt- o200k 2098 - 3896 - -
opencode 1.18.21 *claude o200k 1883 - 5013 - -
opencode 1.18.21 *gemini o200k 3496 - 5013 - -
opencode 1.18.21 *kimi o200k 1992 - 5013 - -
opencode 1.18.21 * o200k 2014 - 5013 - -
kilo 7.7.9 gpt- o200k 2892 - 8511 - -
kilo 7.7.9 * o200k 2676 - 10516 - -
gemini-cli 0.33.0 * o200k 4290 - 1271 - -
gemini-cli 0.36.0 * o200k 4628 - 1431 - -
gemini-cli 0.61.0 * o200k 6118 - 1422 - -
qwen-code 0.15.10 * o200k 8118 - 9057 - -
qwen-code 0.24.4 * o200k 5892 - 8850 - -
`
