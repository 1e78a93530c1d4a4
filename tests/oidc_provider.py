"""An OpenID Connect provider on a port of this machine: discovery, keys, codes with PKCE, tokens.

Implements OpenID Connect Core 1.0 and RFC 7636, sections 4.2 and 4.6; it signs in the user set in
`person`, without asking.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, SECRET = "mteval-tests", "a secret of the tests"


class Provider:
    def __init__(self):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.signs_with = self.key
        self.person = {}
        self.changes_token = {}
        self.userinfo_sub = None
        self.refuses = False
        self.is_down = False
        self.codes = {}
        self.asked = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                provider.answer(self, dict(parse_qs(urlsplit(self.path).query)))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                provider.answer(self, dict(parse_qs(body)))

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request, fields):
        path = urlsplit(request.path).path
        self.asked.append(path)
        values = {name: first for name, (first, *_) in fields.items()}
        if self.is_down:
            return self.send(request, 503, {})
        if path == "/authorize":
            return self.authorize(request, values)
        answers = {
            "/.well-known/openid-configuration": lambda: (200, self.configuration()),
            "/jwks": lambda: (200, self.keys()),
            "/token": lambda: self.token(values),
            "/userinfo": lambda: self.userinfo(request.headers.get("Authorization", "")),
        }
        return self.send(request, *answers.get(path, lambda: (404, {}))())

    def send(self, request, status, content):
        body = json.dumps(content).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def configuration(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "jwks_uri": f"{self.issuer}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def keys(self):
        key = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {"keys": [key | {"kid": "one", "use": "sig", "alg": "RS256"}]}

    def authorize(self, request, values):
        assert values["response_type"] == "code" and values["client_id"] == CLIENT_ID
        assert "openid" in values["scope"].split()
        answer = {"state": values["state"]}
        if self.refuses:
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe()
            self.codes[answer["code"]] = values | {"person": dict(self.person)}
        request.send_response(302)
        request.send_header("Location", f"{values['redirect_uri']}?{urlencode(answer)}")
        request.send_header("Content-Length", "0")
        request.end_headers()

    def token(self, values):
        asked = self.codes.pop(values.get("code"), None)
        digest = hashlib.sha256(values.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            asked is None
            or (values["client_id"], values["client_secret"]) != (CLIENT_ID, SECRET)
            or values["redirect_uri"] != asked["redirect_uri"]
            or asked["code_challenge_method"] != "S256"
            or challenge != asked["code_challenge"]
        ):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 60}
        claims |= {"sub": asked["person"]["sub"]} | self.changes_token
        signed = jwt.encode(claims, self.signs_with, algorithm="RS256", headers={"kid": "one"})
        access = jwt.encode(asked["person"], "x" * 32)
        return 200, {"access_token": access, "token_type": "Bearer", "id_token": signed}

    def userinfo(self, header):
        person = jwt.decode(header.removeprefix("Bearer "), "x" * 32, algorithms=["HS256"])
        return 200, person | ({"sub": self.userinfo_sub} if self.userinfo_sub else {})
