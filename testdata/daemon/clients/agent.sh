#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Writes a session of Claude Code that was at work just now, and is about to be compacted. CTX_TEST_DAYS_AHEAD is how
# far the daemon's clock is ahead of the system's.
#   agent.sh HOME WORKSPACE
set -eu
folder=$1/.claude/projects/-workspace
mkdir -p "$folder"
now=$(date -u -d "${CTX_TEST_DAYS_AHEAD:-0} days" +%Y-%m-%dT%H:%M:%S.000Z)
about="\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"$2\",\"sessionId\":\"0197f1c2-0000-4000-8000-000000000001\",\"version\":\"2.1.120\",\"timestamp\":\"$now\""
cat >"$folder/0197f1c2-0000-4000-8000-000000000001.jsonl" <<RECORDS
{"parentUuid":null,$about,"type":"user","uuid":"u1","message":{"role":"user","content":"Please look into it."}}
{"parentUuid":"u1",$about,"type":"assistant","uuid":"a1","requestId":"r1","message":{"model":"claude-opus-4-6","id":"m1","type":"message","role":"assistant","content":[{"type":"text","text":"It works."}],"stop_reason":"end_turn","usage":{"input_tokens":3,"cache_creation_input_tokens":997,"cache_read_input_tokens":161000,"output_tokens":60}}}
RECORDS
