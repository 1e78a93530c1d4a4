"""A language model of two layers with random weights behind the chat completions API, only on this
machine. Run in the environment of the neural metrics:

    python benchmarks/random_model.py SEED

It writes its address as the first line and serves until its input ends. Its tokens are bytes. Its
output is drawn from its own probabilities, restricted to the bytes that the JSON Schema of the
request allows; quotes are words of the translation in the request, so that they can be located.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import re
import sys
import threading
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

# Of its weights: wide enough to prefer some bytes, and not always the same.
SPREAD = 0.1
CONTEXT = 1024  # bytes that it reads
MOST_ITEMS = 4  # of a list
END = ord('"')
TRANSLATION = re.compile(r"^Translation 1 \(.*\):\n(.*)$", re.MULTILINE)


def model_of(seed: int) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    sizes = LlamaConfig(
        vocab_size=256, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, max_position_embeddings=4 * CONTEXT, initializer_range=SPREAD,
        bos_token_id=None, eos_token_id=None, pad_token_id=None,
    )  # fmt: skip
    return LlamaForCausalLM(sizes).eval()


class Writer:
    """Writes one answer, byte by byte."""

    def __init__(self, model: LlamaForCausalLM, prompt: str, seed: int) -> None:
        self.model, self.text = model, bytearray()
        self.chance = torch.Generator().manual_seed(seed)
        found = TRANSLATION.findall(prompt)
        self.words = re.findall(r"\w+", found[-1] if found else "") or ["x"]
        self.cache: Any = None
        self.read(prompt.encode()[-CONTEXT:])

    def read(self, text: bytes) -> None:
        """Read the text that precedes the output."""
        with torch.no_grad():
            said = self.model(
                torch.tensor([list(text)]), past_key_values=self.cache, use_cache=True
            )
        self.cache, self.scores = said.past_key_values, said.logits[0, -1]

    def write(self, text: str) -> None:
        self.text += text.encode()
        self.read(text.encode())

    def choose(self, allowed: Iterable[int]) -> int:
        """Return one of these bytes, by the model's probabilities, without writing it."""
        places = sorted(set(allowed))
        shares = torch.softmax(self.scores[places], 0)
        return places[int(torch.multinomial(shares, 1, generator=self.chance))]

    def one_of(self, choices: Iterable[str]) -> None:
        """Write one of several texts, each byte among the possible continuations."""
        left = [choice.encode() + bytes([END]) for choice in choices]
        at = 0
        while True:
            byte = self.choose(choice[at] for choice in left)
            if byte == END:
                break
            self.text.append(byte)
            self.read(bytes([byte]))
            left, at = [choice for choice in left if choice[at] == byte], at + 1

    def value(self, name: str, schema: Mapping[str, Any]) -> None:
        if "enum" in schema:
            self.quoted(schema["enum"])
        elif schema["type"] == "number":
            self.one_of(map(str, range(int(schema["minimum"]), int(schema["maximum"]) + 1)))
        elif schema["type"] == "string":
            self.quoted(self.words if name == "quote" else [""])
        elif schema["type"] == "array":
            self.array(schema["items"])
        else:
            self.object(schema)

    def quoted(self, choices: Iterable[str]) -> None:
        self.write('"')
        self.one_of(choices)
        self.write('"')

    def array(self, items: Mapping[str, Any]) -> None:
        self.write("[")
        for number in range(MOST_ITEMS):
            if self.choose(b"{]") == ord("]"):
                break
            if number:
                self.write(", ")
            self.value("", items)
        self.write("]")

    def object(self, schema: Mapping[str, Any]) -> None:
        for number, (name, part) in enumerate(schema["properties"].items()):
            self.write(f"{', ' if number else '{'}{json.dumps(name)}: ")
            self.value(name, part)
        self.write("}")


class Handler(http.server.BaseHTTPRequestHandler):
    model: LlamaForCausalLM
    lock = threading.Lock()

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = "\n".join(message["content"] for message in asked["messages"])
        # The same request has the same answer.
        digest = hashlib.sha256(f"{asked.get('seed')} {prompt}".encode()).digest()
        with self.lock:
            writer = Writer(self.model, prompt, int.from_bytes(digest[:6], "big"))
            writer.value("", asked["response_format"]["json_schema"]["schema"])
        answer = {
            "model": "random-2-layers",
            "choices": [{"message": {"content": writer.text.decode()}, "finish_reason": "stop"}],
            "usage": {
                "prompt_tokens": len(prompt.encode()),
                "completion_tokens": len(writer.text),
            },
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def main() -> None:
    torch.set_num_threads(1)
    Handler.model = model_of(int(sys.argv[1]))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
