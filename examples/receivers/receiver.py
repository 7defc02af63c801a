"""A receiver of Querent's notifications, on Python 3.9 or newer, with the standard library alone.

    SIGNING_SECRET=whsec_... python3 examples/receivers/receiver.py

It does the four things that a receiver has to do: it verifies the signature over the raw bytes, drops what it has
seen, answers at once, and fetches the result where the notification leaves it out.
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

# Delivery ids seen, the last 100,000. In production this is a unique key of a table, written in the transaction that handles the task.
seen = {}
SEEN_MAX = 100_000
seen_lock = Lock()


def verified(body: bytes, headers) -> bool:
    """Compares in constant time, so that the time it takes tells nothing about the right signature.

    While the secret is rotated with an overlap there are two signatures, one with each secret: either may be the one
    with ours.
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
        print(f"its result is large: GET /v1/tasks/{task['taskId']}", flush=True)


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
            print("refused: the signature is not right", flush=True)
            self.answer(401)
            return
        # Answer before the work: a slow receiver is asked again.
        self.answer(204)
        delivery = self.headers["X-Service-Delivery"]
        with seen_lock:
            if delivery in seen:
                print(f"dropped: {delivery} was here before", flush=True)
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
        # The handshake belongs to the connection's own thread: one that says nothing must not hold up the others.
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
