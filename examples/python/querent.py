"""A client for Querent, for Python 3.9 or newer, with only the standard library. Copy it into your project.

    QUERENT_URL=http://127.0.0.1:8080 QUERENT_TOKEN=qrt_... python3 examples/python/querent.py "Why?" sample simulator

It retries a submission with the same idempotency key, waits for tasks without busy polling, streams results, and
distinguishes errors by their code.
"""

import hashlib
import hmac
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterable, Iterator, Optional

ENDED = ("completed", "failed", "canceled")
WAIT_SECONDS = 25
BYTES_MAX = 64 * 1024 * 1024


class QuerentError(Exception):
    """The service returned an error, with a stable `code`. To repeat a submission, use the same `key`."""

    def __init__(self, status: int, problem: dict, key: Optional[str]):
        super().__init__(f"{problem.get('title', status)} ({problem.get('code')}): {problem.get('detail')}")
        self.status, self.problem, self.key = status, problem, key
        self.code = problem.get("code")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Redirects are not followed, because they would send the token to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Querent:
    def __init__(self, url: str, token: str, retries: int = 4, timeout: float = 30):
        self.url, self.token, self.retries, self.timeout = url.rstrip("/"), token, retries, timeout
        self.opener = urllib.request.build_opener(NoRedirect)

    def submit(self, items: list, key: Optional[str] = None) -> dict:
        """Submits a batch, which is accepted or rejected as a whole. With the same key, nothing is created or charged twice."""
        key = key or str(uuid.uuid4())
        return self._call("POST", "/v1/tasks/batch", json.dumps(items).encode(), {"Idempotency-Key": key})

    def task(self, task_id: str, wait: int = 0) -> dict:
        headers = {"Prefer": f"wait={wait}"} if wait else {}
        return self._call("GET", f"/v1/tasks/{urllib.parse.quote(task_id)}", None, headers, self.timeout + wait)

    def wait(self, task_id: str, timeout: float = float("inf")) -> dict:
        """Waits until a task has ended. Fails immediately if the task does not exist."""
        deadline, pause = time.monotonic() + timeout, 0.5
        while True:
            asked = time.monotonic()
            task = self.task(task_id, wait=max(0, int(min(WAIT_SECONDS, deadline - asked))))
            if task["state"] in ENDED:
                return task
            if time.monotonic() >= deadline:
                raise TimeoutError(f"task {task_id} has not ended. It continues")
            if time.monotonic() - asked < 1:  # the response was not delayed: avoid a busy loop
                time.sleep(random.uniform(0.1, pause))
                pause = min(15, pause * 2)

    def results(self, batch_id: str) -> Iterator[dict]:
        """Iterates over the records of a batch's tasks, in the order of the submission."""
        path = f"/v1/batches/{urllib.parse.quote(batch_id)}/results"
        with self._open("GET", path, None, {"Accept": "application/x-ndjson"}, self.timeout) as response:
            for line in response:
                if not line.endswith(b"\n"):
                    raise ConnectionError("the connection was closed while reading results")
                yield json.loads(line)

    def _call(self, method: str, path: str, body: Optional[bytes], headers: dict, timeout: Optional[float] = None) -> Any:
        for attempt in range(self.retries + 1):
            try:
                with self._open(method, path, body, headers, timeout or self.timeout) as response:
                    text = response.read(BYTES_MAX + 1)
                    if len(text) > BYTES_MAX:
                        raise ValueError("the response is too large")
                    return json.loads(text)
            except urllib.error.HTTPError as error:
                problem = self._problem(error)
                again = error.code in (429, 502, 503, 504) or problem.get("code") == "idempotency_key_in_use"
                if not again or problem.get("code") == "queue_full" or attempt == self.retries:
                    raise QuerentError(error.code, problem, headers.get("Idempotency-Key")) from None
                after = error.headers.get("Retry-After", "")
                pause = float(after) if after.isdigit() else 0
            except (OSError, TimeoutError):
                # It is unknown whether the request arrived. Reads and submissions with a key can be repeated safely.
                if attempt == self.retries:
                    raise
                pause = 0
            time.sleep(pause + random.uniform(0, min(20, 0.5 * 2**attempt)))
        raise AssertionError("unreachable")

    def _open(self, method: str, path: str, body: Optional[bytes], headers: dict, timeout: float) -> Any:
        request = urllib.request.Request(self.url + path, data=body, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
        for name, value in headers.items():
            request.add_header(name, value)
        return self.opener.open(request, timeout=timeout)

    @staticmethod
    def _problem(error: urllib.error.HTTPError) -> dict:
        try:
            problem = json.loads(error.read(1024 * 1024))
            return problem if isinstance(problem, dict) else {}
        except ValueError:
            return {"title": f"The response {error.code} is not from a Querent service"}


def verified(body: bytes, signatures: Iterable[str], secret: str) -> bool:
    """Returns True if the raw body of a webhook is authentic.

    `signatures` are the headers X-Service-Signature and, if present, X-Service-Signature-Previous. The second is sent
    during a rotation with an overlap. A match of either is sufficient.
    """
    expected = ("sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()).encode()
    return any([hmac.compare_digest(expected, signature.encode()) for signature in signatures])


def main() -> int:
    question, *platforms = sys.argv[1:]
    querent = Querent(os.environ.get("QUERENT_URL", "http://127.0.0.1:8080"), os.environ["QUERENT_TOKEN"])
    batch = querent.submit([{"question": question, "platformCode": code, "options": {}} for code in platforms])
    for submitted in batch["tasks"]:
        querent.wait(submitted["taskId"])
    failed = 0
    for task in querent.results(batch["batchId"]):
        print(f"{task['platformCode']}: {task['state']}, {task['chargedPoints']} points, {len(task['sources'])} sources")
        failed += task["state"] != "completed"
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
