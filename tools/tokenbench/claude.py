# Copyright The ctx-lsp authors. MIT licence.
#
# Puts the Python original of Claude's tokenizers beside this project's: ctok, from PyPI, counts the recorded texts, and
# its speed stands beside what `go test -bench BenchmarkClaude` printed, which comes in on standard input.
#   go test … -bench BenchmarkClaude | CTX_VOCABULARIES=folder python3 claude.py
import gzip
import json
import os
import re
import sys
import time

import ctok

# The families by this project's names, and ctok's versions.
FAMILIES = {"v3": "3.0", "v5": "5.0"}


def texts(folder):
    found = {}
    for corpus, key in (("multipl_e", "lang"), ("udhr", "f")):
        with gzip.open(os.path.join(folder, "claude", corpus + ".jsonl.gz"), "rt", encoding="utf-8") as rows:
            for line in rows:
                row = json.loads(line)
                found[corpus + "/" + row[key]] = row["text"]
    return found


def speed(text, family):
    """MB/s of the processor, the second pass: what can be remembered of the text is."""
    count = lambda: ctok.token_count(text, family)  # noqa: E731
    count()
    begin, passes = time.process_time(), 0
    while passes < 1 or time.process_time() - begin < 0.3:
        count()
        passes += 1
    return len(text.encode()) * passes / (time.process_time() - begin) / 1e6


found = texts(os.environ["CTX_VOCABULARIES"])
print("MB/s of the processor's time, so that a busy machine changes little")
print(f"{'Claude, second pass':<24}{'ours MB/s':>12}{'ctok MB/s':>12}{'ratio':>10}")
ratios = []
for line in sys.stdin:
    made = re.match(r"BenchmarkClaude/(\w+)/(\S+?)(?:-\d+)?\s.*?([\d.]+) cpuMB/s", line)
    if not made or made[1] not in FAMILIES or made[2] not in found:
        continue
    ours, theirs = float(made[3]), speed(found[made[2]], FAMILIES[made[1]])
    ratios.append(ours / theirs)
    print(f"{made[1] + ' ' + made[2]:<24}{ours:>12.1f}{theirs:>12.3f}{ours / theirs:>10.0f}")
if not ratios:
    sys.exit("claude.py: there was no line of BenchmarkClaude on standard input")
ratios.sort()
print(f"median ratio {ratios[len(ratios) // 2]:.0f}, least {ratios[0]:.0f}")
