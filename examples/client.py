# A status bar with the client for Python: `make install`, then `PYTHONPATH=python python3 examples/client.py`.
import ctx_lsp

with ctx_lsp.Session(model="claude-sonnet-4-5", rule={"percent": 80}) as session:
    for tokens in (129_500, 132_000, 137_000, 141_000):
        session.append({"kind": "user", "text": "Why does the build fail?"})  # before the request
        session.usage({"input_tokens": tokens, "output_tokens": 400})  # after it: the provider's usage as it came
    show, hint = session.reading.display, session.reading.compaction.hint.text
print(f"{show.number} · {show.free} free · compacts at {show.threshold} · {hint}")
# Prints: 71% · 58.6k free · compacts at 160k · compacts in ~5 requests
