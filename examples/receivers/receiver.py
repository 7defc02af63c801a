"""A receiver of Querent's webhooks, on Python 3.9 or newer, with only the standard library.

    SIGNING_SECRET=whsec_... python3 examples/receivers/receiver.py

It does what every receiver must do: it verifies the signature over the raw body, ignores duplicates,
responds immediately, and fetches the result if the webhook omits it.
"""

import hashlib
import hmac
import json
import os
import ssl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = os.environ["SIGNING_SECRET"].encode()
PORT = int(os.environ.get("PORT", "8443"))
BYTES_MAX = 1024 * 1024

# The last 100,000 delivery ids. In production, use a unique key of a table, written in the transaction that processes the task.
seen = {}
SEEN_MAX = 100_000
seen_lock = Lock()


def verified(body: bytes, headers) -> bool:
    """Compares in constant time, so that the response time reveals nothing about the expected signature.

    During a rotation with an overlap there are two signatures, one for each secret. A match of either is sufficient.
    """
    expected = ("sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()).encode()
    signatures = [headers.get("X-Service-Signature", ""), headers.get("X-Service-Signature-Previous", "")]
    return any([hmac.compare_digest(expected, signature.encode()) for signature in signatures])


def handle(notification: dict) -> None:
    task = notification["task"]
    print(
        f"{notification['event']}: {task['taskId']} {task['state']}, "
        f"{task['chargedPoints']} points, signature verified",
        flush=True,
    )
    if task["resultOmitted"]:
        print(f"result omitted, fetch it with GET /v1/tasks/{task['taskId']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 15

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", "-1"))
        if not 0 <= size <= BYTES_MAX:
            self.answer(413)
            return
        body = self.rfile.read(size)
        if not verified(body, self.headers):
            print("rejected: invalid signature", flush=True)
            self.answer(401)
            return
        # Respond before processing: a request that times out is sent again.
        self.answer(204)
        delivery = self.headers["X-Service-Delivery"]
        with seen_lock:
            if delivery in seen:
                print(f"ignored: {delivery} was already received", flush=True)
                return
            seen[delivery] = True
            if len(seen) > SEEN_MAX:
                del seen[next(iter(seen))]
        handle(json.loads(body))

    def answer(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def get_request(self):
        # The handshake runs in the thread of the connection, so that a silent client does not block others.
        connection, address = super().get_request()
        return context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.environ.get("CERT", "receiver-cert.pem"), os.environ.get("KEY", "receiver-key.pem"))
server = Server(("127.0.0.1", PORT), Receiver)
print(f"listening on https://127.0.0.1:{server.server_port}/", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
