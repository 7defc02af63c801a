"""Submits a batch and waits for each task, with classes generated from the OpenAPI document (generate-python.mjs)."""

import json
import sys
import urllib.error
import urllib.request
import uuid
from typing import Any, Optional

from models import Problem, SubmissionAccepted, SubmissionItem, TaskRecord, TaskRecordState

base_url, token = sys.argv[1:3]


def call(path: str, body: Optional[Any] = None, **headers: str) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers.update({"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    request = urllib.request.Request(base_url + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        problem = Problem.from_dict(json.load(error))
        sys.exit(f"{problem.title}: {problem.detail}")


def wait(task_id: uuid.UUID) -> TaskRecord:
    while True:
        task = TaskRecord.from_dict(call(f"/v1/tasks/{task_id}", **{"Prefer": "wait=30"}))
        if task.state != TaskRecordState.PENDING:
            return task


items = [
    {"question": "How fine should I grind for espresso?", "platformCode": "sample", "options": {}},
    {
        "question": "delay=2s cards=product,video sources=1",
        "platformCode": "simulator",
        "options": {},
        "clientReference": "shop-7",
    },
]
# The conversion to a class and back validates the items.
body = [SubmissionItem.from_dict(item).to_dict() for item in items]
accepted = SubmissionAccepted.from_dict(
    call("/v1/tasks/batch", body, **{"Idempotency-Key": str(uuid.uuid4())})
)
for submitted in accepted.tasks:
    task = wait(submitted.task_id)
    print(task.state.value, f"{len(task.products)} products, {len(task.videos)} videos:", task.question)
