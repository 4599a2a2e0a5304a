# Copyright The ctx-lsp authors. MIT licence.

"""
Times tiktoken, the original of OpenAI's tokenizers, on the texts of a folder, as bench times the native ones: each
figure is of a fresh process, rounds take turns, and the medians are printed as a JSON object.

    python peers.py TEXTS [--encoding o200k_base] [--rounds 3]

tiktoken downloads its ranks when it runs; here it gets those of its package on npm, which is next to this file.
"""

from __future__ import annotations

import argparse
import base64
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

RANKS = pathlib.Path(__file__).parent / "node_modules" / "tiktoken" / "encoders"


def load(encoding: str) -> Any:
    """Returns the tokenizer."""
    import tiktoken

    made = json.loads((RANKS / f"{encoding}.json").read_text())
    ranks: dict[bytes, int] = {}
    for line in made["bpe_ranks"].splitlines():
        _, first, *tokens = line.split(" ")
        ranks.update({base64.b64decode(token): int(first) + n for n, token in enumerate(tokens)})
    return tiktoken.Encoding(encoding, pat_str=made["pat_str"], mergeable_ranks=ranks, special_tokens={})


def measure(encoding: str, file: str) -> dict[str, float]:
    """Measures in this process, which has counted nothing before."""
    text = pathlib.Path(file).read_text(encoding="utf-8")
    begin = time.perf_counter()
    tokenizer = load(encoding)
    times = [time.perf_counter()]
    for _ in range(2):
        tokens = len(tokenizer.encode_ordinary(text))
        times.append(time.perf_counter())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    size = len(text.encode())
    first, second = times[1] - times[0], times[2] - times[1]
    return {"load": times[0] - begin, "first": first, "second": second, "size": size, "tokens": tokens, "memory": peak}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", type=pathlib.Path)
    parser.add_argument("--encoding", default="o200k_base")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--alone", action="store_true")
    given = parser.parse_args()
    if given.alone:
        print(json.dumps(measure(given.encoding, given.texts)))
        return
    measured: dict[str, list[dict[str, float]]] = {file.stem: [] for file in sorted(given.texts.glob("*.txt"))}
    for number in range(given.rounds):
        print(f"{given.encoding}, Python: round {number + 1} of {given.rounds}", file=sys.stderr)
        for name, found in measured.items():
            file = str(given.texts / f"{name}.txt")
            command = [sys.executable, __file__, file, "--encoding", given.encoding, "--alone"]
            found.append(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))

    def median(found: list[dict[str, float]], key: str) -> float:
        return statistics.median(one[key] for one in found)

    def speeds(key: str) -> dict[str, float]:
        return {name: round(one[0]["size"] / 1e6 / median(one, key), 2) for name, one in measured.items()}

    everything = [one for found in measured.values() for one in found]
    result = {"name": "tiktoken (Python)", "encoding": given.encoding, "passes": 2}
    result["load"] = round(1000 * median(everything, "load"), 2)
    result["memory"] = round(max(median(found, "memory") for found in measured.values()) / 1e6, 2)
    result["cold"], result["warm"] = speeds("first"), speeds("second")
    result["counts"] = {name: found[0]["tokens"] for name, found in measured.items()}
    print(json.dumps(result))


main()
