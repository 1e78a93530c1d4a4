"""Imitates the program of the neural metrics, and acts according to the name of the request's
model."""

import json
import os
import signal
import sys
import time


def reply(message: dict) -> None:
    print(json.dumps(message), flush=True)


def obey(request: dict) -> None:
    number, n = request["id"], len(request["hypotheses"])
    scores = [float(len(text)) for text in request["hypotheses"]]
    match request["model"]:
        case "good":
            for done in range(n):
                reply({"id": number, "progress": [done, n]})
            reply({"id": number, "scores": scores})
        case "marking":  # the first character of each output
            spans = [[{"start": 0, "end": 1, "severity": "Minor", "confidence": 0.5}]] * n
            reply({"id": number, "scores": scores, "spans": spans})
        case "marking-badly":  # invalid in files; the first extends beyond every output
            good = {"start": 0, "end": 1, "severity": "minor", "confidence": 0.5}
            bad = [
                good | {"start": -2, "end": 10**6, "confidence": float("nan")},
                good | {"start": 10**6 - 1, "end": 10**6},
                good | {"start": 1},
                good | {"start": None},
                good | {"end": "2"},
                good | {"severity": 3},
                good | {"severity": "x" * 21},
                "error",
                good | {"confidence": 10**400},
                good | {"confidence": "high"},
                good,
            ]
            reply({"id": number, "scores": scores, "spans": [bad] * n})
        case "undefined":
            reply({"id": number, "scores": [None] * n})
        case "chatty":
            print("A library prints a banner", flush=True)
            reply({"id": number - 1, "scores": [99.0] * n})  # of a request that nobody waits for
            reply({"id": number, "scores": scores})
        case "wrong number":
            reply({"id": number, "scores": [*scores, 1.0]})
        case "error":
            reply({"id": number, "error": "There is no such model."})
        case "exit":
            print("Traceback\nImportError: no module named torch", file=sys.stderr, flush=True)
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "stuck":
            reply({"id": number, "progress": [0, n]})
            time.sleep(600)
        case "idle":  # ends just when a request arrives, once
            marker = request["options"]["marker"]
            if os.path.exists(marker):
                reply({"id": number, "scores": scores})
            else:
                open(marker, "w").close()
                reply({"bye": True})
                sys.exit(0)
        case "environment":
            names = request["options"]["names"]
            reply({"id": number, "error": json.dumps({name: os.getenv(name) for name in names})})


for line in sys.stdin:
    obey(json.loads(line))
