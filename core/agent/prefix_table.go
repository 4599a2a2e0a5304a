// Copyright The ctx-lsp authors. MIT licence.

// Code generated from tools/gen/prefix/*.json by `make generated`. DO NOT EDIT.

package agent

// builtInTable holds the sizes of system prompts and built-in tools, in tokens.
// The columns are: the agent, its version, the model, the vocabulary of the
// tokens, the fixed part of the system prompt, the rest of it, all tools, the
// tools that are loaded where others are deferred, a tool that only some
// sessions have, and the day of the version if transcripts name no version.
//
// claude-code: npm @anthropic-ai/claude-code, the versions below, run once in
// 2026-11 without an account or a network; a server on the same machine stood
// in for the provider's.
// opencode@1.2.20: npm opencode-linux-x64@1.2.20.
// opencode@1.3.2: npm opencode-linux-x64@1.3.2.
// opencode@1.14.34: npm opencode-linux-x64@1.14.34.
// opencode@1.14.48: npm opencode-linux-x64@1.14.48.
// opencode@1.18.34: npm opencode-linux-x64@1.18.34.
// kilo@7.7.9: npm @kilocode/cli-linux-x64@7.7.9.
// gemini-cli@0.33.0: npm @google/gemini-cli@0.33.0.
// gemini-cli@0.36.0: npm @google/gemini-cli@0.36.0.
// gemini-cli@0.38.2: npm @google/gemini-cli@0.38.2.
// gemini-cli@0.51.0: npm @google/gemini-cli@0.51.0.
// gemini-cli@0.61.0: npm @google/gemini-cli@0.61.0.
// qwen-code@0.15.10: npm @qwen-code/qwen-code@0.15.10.
// qwen-code@0.24.4: npm @qwen-code/qwen-code@0.24.4.
// roo-code@3.45.0: github RooCodeInc/Roo-Code@35d282b065b29b6cc41a3571aef54222e6ca2a09.
// roo-code@3.52.1: github RooCodeInc/Roo-Code@67def7214a6165cab2ed76ec9e0984812402c0ac.
//
// `go run ./tools/gen/prefix -measure` has measured all sizes but the first agent's.
const builtInTable = `
claude-code 1.0.86 * own 14 2944 11403 - - -
claude-code 2.0.14 * own 14 2008 11805 - - -
claude-code 2.0.76 * own 14 2839 15241 - - -
claude-code 2.1.7 * own 14 2714 16685 - - -
claude-code 2.1.17 * own 43 2214 15820 - - -
claude-code 2.1.29 * own 43 2209 15594 - - -
claude-code 2.1.37 * own 50 2256 15686 - - -
claude-code 2.1.39 * own 50 2258 15612 - - -
claude-code 2.1.45 * own 50 2251 15923 - - -
claude-code 2.1.49 * own 50 2335 16018 - - -
claude-code 2.1.62 * own 50 3083 16465 - - -
claude-code 2.1.89 * own 2612 3582 18396 8949 - -
claude-code 2.1.98 * own 2612 3574 18396 8943 - -
claude-code 2.1.112 claude-opus-4-7 own 138 8136 27042 10860 - -
claude-code 2.1.126 claude-opus-4-7 own 3196 5039 25525 10860 - -
claude-code 2.1.161 claude-sonnet-4-6 own 2237 3858 18396 9071 5411 -
claude-code 2.1.161 claude-opus-4-6 own 2237 3858 18396 9071 5411 -
claude-code 2.1.161 claude-haiku-4-5 own 2237 3858 18396 9071 5411 -
claude-code 2.1.170 claude-opus-4-8 own 520 1638 20023 8668 7628 -
claude-code 2.1.170 claude-fable-5 own 520 2714 20023 8668 7628 -
claude-code 2.1.179 claude-opus-4-8 own 520 1639 20023 8127 7729 -
claude-code 2.1.209 claude-fable-5 own 533 3059 20510 9085 7804 -
claude-code 2.1.209 claude-sonnet-5 own 3423 5408 26598 14111 7804 -
claude-code 2.1.217 claude-opus-5 own 533 1718 21008 9010 7804 -
claude-code 2.1.217 claude-opus-4-8 own 533 1748 21008 9010 7804 -
claude-code 2.1.217 claude-fable-5 own 533 3062 21008 9010 7804 -
claude-code 2.1.217 claude-sonnet-5 own 3424 5408 27096 14364 7804 -
opencode 1.2.20 *codex o200k 1655 - 6747 - - -
opencode 1.2.20 gpt-4.1 o200k 2391 - 6979 - - -
opencode 1.2.20 gpt- o200k 1649 - 6747 - - -
opencode 1.2.20 *claude o200k 1729 - 8305 - - -
opencode 1.2.20 *gemini o200k 3343 - 3156 - - -
opencode 1.2.20 *kimi o200k 2114 - 8307 - - -
opencode 1.2.20 * o200k 2110 - 8307 - - -
opencode 1.3.2 *codex o200k 1691 - 6523 - - -
opencode 1.3.2 gpt-4.1 o200k 2428 - 6757 - - -
opencode 1.3.2 gpt- o200k 1686 - 6525 - - -
opencode 1.3.2 *claude o200k 1767 - 7965 - - -
opencode 1.3.2 *gemini o200k 3380 - 3026 - - -
opencode 1.3.2 *kimi o200k 1941 - 7965 - - -
opencode 1.3.2 * o200k 1937 - 7965 - - -
opencode 1.14.34 *codex o200k 1684 - 6631 - - -
opencode 1.14.34 gpt-4.1 o200k 2420 - 6863 - - -
opencode 1.14.34 gpt- o200k 1975 - 6631 - - -
opencode 1.14.34 *claude o200k 1760 - 8059 - - -
opencode 1.14.34 *gemini o200k 3373 - 3062 - - -
opencode 1.14.34 *kimi o200k 1873 - 8059 - - -
opencode 1.14.34 * o200k 1930 - 8059 - - -
opencode 1.14.48 *codex o200k 1685 - 6631 - - -
opencode 1.14.48 gpt-4.1 o200k 2421 - 6863 - - -
opencode 1.14.48 gpt- o200k 1975 - 6631 - - -
opencode 1.14.48 *claude o200k 1759 - 8059 - - -
opencode 1.14.48 *gemini o200k 3373 - 3062 - - -
opencode 1.14.48 *kimi o200k 1874 - 8059 - - -
opencode 1.14.48 * o200k 1930 - 8059 - - -
opencode 1.18.34 *codex o200k 1810 - 3727 - - -
opencode 1.18.34 gpt-4.1 o200k 2546 - 3959 - - -
opencode 1.18.34 gpt- o200k 2099 - 3727 - - -
opencode 1.18.34 *claude o200k 1885 - 4775 - - -
opencode 1.18.34 *gemini o200k 3497 - 1814 - - -
opencode 1.18.34 *kimi o200k 1999 - 4775 - - -
opencode 1.18.34 * o200k 2012 - 4775 - - -
kilo 7.7.9 gpt- o200k 2893 48 8215 - - -
kilo 7.7.9 *claude o200k 2679 49 9903 - - -
kilo 7.7.9 *gemini o200k 4292 49 3763 - - -
kilo 7.7.9 * o200k 2807 48 9903 - - -
gemini-cli 0.33.0 * o200k 4181 124 1058 - - 2026-03-11
gemini-cli 0.36.0 * o200k 4515 127 1189 - - 2026-04-01
gemini-cli 0.38.2 * o200k 4641 127 1288 - - 2026-04-14
gemini-cli 0.51.0 * o200k 5904 127 1173 - - 2026-07-19
gemini-cli 0.61.0 * o200k 6132 - 1173 - - 2026-09-25
qwen-code 0.15.10 * o200k 8047 95 9052 - - -
qwen-code 0.24.4 * o200k 5813 2196 8552 - - -
roo-code 3.45.0 gpt- o200k 2900 - 3146 - - 2026-01-27
roo-code 3.45.0 * o200k 2900 - 3935 - - 2026-01-27
roo-code 3.52.1 gpt- o200k 2996 - 3779 - - 2026-04-13
roo-code 3.52.1 * o200k 2996 - 4639 - - 2026-04-13
`
