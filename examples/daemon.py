# A status bar over JSON-RPC in Python, with nothing but its library: `make install`, then `python3 examples/daemon.py`.
import json, os, subprocess

daemon = subprocess.Popen(["ctx-lsp", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
sent = 0

def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    daemon.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    daemon.stdin.flush()

def receive():
    length = 0
    while header := daemon.stdout.readline().strip():
        name, value = header.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(daemon.stdout.read(length))

def call(method, params=None):
    global sent
    sent += 1
    send(id=sent, method=method, params=params or {})
    while (message := receive()).get("id") != sent or "method" in message:
        pass  # a notification, such as ctx/reading
    if "error" in message:
        raise RuntimeError(message["error"]["message"])
    return message["result"]

call("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
send(method="initialized", params={})
call("ctx/session/open", {"id": "chat", "model": "claude-sonnet-4-5", "rule": {"percent": 80}})
for tokens in (129_500, 132_000, 137_000, 141_000):
    call("ctx/session/update", {"id": "chat", "append": [{"kind": "user", "text": "Why does the build fail?"}]})
    reading = call("ctx/session/usage", {"id": "chat", "usage": {"input_tokens": tokens, "output_tokens": 400}})
show, hint = reading["display"], reading["compaction"]["hint"]["text"]
print(f"{show['number']} · {show['free']} free · compacts at {show['threshold']} · {hint}")
call("shutdown")
send(method="exit")
# Prints: 71% · 58.6k free · compacts at 160k · compacts in ~5 requests
