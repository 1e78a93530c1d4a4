"""A server with the chat completions API, whose answers are scripted."""

import contextlib
import http.server
import json
import threading
import time
from contextlib import contextmanager

KEY = "very-secret-key-of-a-model"


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    endpoint: "Endpoint"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_POST(self):
        endpoint = self.server.endpoint
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with endpoint.lock:
            endpoint.got.append(body)
            endpoint.keys.add(self.headers.get("Authorization"))
            number = len(endpoint.got)
        if endpoint.delay:
            time.sleep(endpoint.delay)
        said = endpoint.script(body, number)
        if isinstance(said, bytes):  # whatever it is, unchanged
            return self.send(200, said)
        if isinstance(said, tuple):
            status, retry_after = said
            words = {"error": {"message": f"No good: {KEY}"}}
            return self.send(status, json.dumps(words).encode(), retry_after)
        finish = "length" if said.endswith("…") else "stop"
        with endpoint.lock:
            endpoint.answered.append(body)
        answer = {
            "model": "stub-1",
            "choices": [{"message": {"content": said}, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        }
        return self.send(200, json.dumps(answer).encode())

    def send(self, status, body, retry_after=None):
        with contextlib.suppress(OSError):  # the client has gone
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if retry_after is not None:
                self.send_header("Retry-After", str(retry_after))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *args):
        pass


class Endpoint:
    """script: (body, number of the request from 1) → the text of an answer, cut off if it ends in
    "…"; (status, seconds of Retry-After or None); or the bytes of an answer. got: all bodies;
    answered: those that got a text."""

    def __init__(self, script, delay=0.0):
        self.script, self.delay = script, delay
        self.got, self.answered, self.keys = [], [], set()
        self.lock = threading.Lock()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.endpoint = self

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"


@contextmanager
def serving(script, delay=0.0):
    """Yield the endpoint while it serves."""
    endpoint = Endpoint(script, delay)
    thread = threading.Thread(target=endpoint.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.server.shutdown()
        endpoint.server.server_close()
        thread.join()


def answer_to(body, number=0):
    """Return the first choice, the number 90 and no errors for every question in the schema."""
    schema = body["response_format"]["json_schema"]["schema"]
    return json.dumps({name: value_of(part) for name, part in schema["properties"].items()})


def value_of(schema):
    if "enum" in schema:
        return schema["enum"][0]
    return {"array": [], "number": min(schema.get("maximum", 90), 90), "string": "nothing"}[
        schema["type"]
    ]
