"""An OpenID Connect provider, at which everyone is signed in as the same person."""
import base64
import http.server
import json
import subprocess
import threading
import urllib.parse


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider:
    """Signs tokens with a key of its own (RS256, by `openssl`). The test sets its clock."""
    CLIENT = "shelflist"

    def __init__(self, work):
        self.key, self.seconds = work / "openid.pem", 0
        subprocess.run(["openssl", "genrsa", "-out", self.key, "2048"], check=True, capture_output=True)
        modulus = subprocess.run(["openssl", "rsa", "-in", self.key, "-noout", "-modulus"], check=True, capture_output=True)
        number = bytes.fromhex(modulus.stdout.decode().strip().removeprefix("Modulus="))
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer({"keys": [{"kty": "RSA", "alg": "RS256", "kid": "1", "n": base64url(number), "e": "AQAB"}]}
                            if self.path == "/keys" else {
                                "issuer": provider.url, "authorization_endpoint": f"{provider.url}/sign-in",
                                "token_endpoint": f"{provider.url}/token", "jwks_uri": f"{provider.url}/keys"})

            def do_POST(self):
                form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                # The code is the nonce of the sign-in.
                self.answer({"id_token": provider.token(form["code"][0]), "token_type": "Bearer"})

            def answer(self, value):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(value).encode())

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    @property
    def options(self):
        """The options of a server that adds the person at the first sign-in."""
        return ["--oidc-issuer", self.url, "--oidc-client-id", self.CLIENT, "--oidc-new-members", "viewer"]

    def token(self, nonce):
        claims = {"iss": self.url, "sub": "1", "aud": self.CLIENT, "nonce": nonce, "preferred_username": "Bea",
                  "iat": self.seconds, "exp": self.seconds + 300}
        text = ".".join(base64url(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "1"}, claims))
        signed = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.key], input=text.encode(), check=True, capture_output=True)
        return f"{text}.{base64url(signed.stdout)}"
