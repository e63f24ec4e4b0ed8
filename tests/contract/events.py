"""Receives events and verifies them with the library of Standard Webhooks; run by tests/contract/events."""

import http.server
import json
import os
import queue
import sys
import threading
import urllib.request

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

port = int(sys.argv[1])
url, key = os.environ["TIDEWALL_URL"], os.environ["TIDEWALL_KEY"]
received = queue.Queue()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        received.put((body, {name.lower(): value for name, value in self.headers.items()}))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def call(method, path, body=None):
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + path, data, headers, method=method)) as answer:
        return json.load(answer)["data"]


def refuses(secret, body, headers):
    try:
        Webhook(secret).verify(body, headers)
    except WebhookVerificationError:
        return True
    return False


threading.Thread(target=http.server.HTTPServer(("127.0.0.1", port), Receiver).serve_forever, daemon=True).start()
hook = call("POST", "/api/v1/event-hooks", {"name": "Receiver", "url": f"http://127.0.0.1:{port}/in", "events": ["finding.*"]})
first = hook["secret"]
finding = call("POST", "/api/v1/findings", {"title": "Restore exceeds the objective", "severity": "high"})
body, headers = received.get(timeout=30)
event = Webhook(first).verify(body, headers)
assert event["type"] == "finding.created" and event["subject"]["id"] == finding["id"], event
assert headers["webhook-id"] == event["id"], headers
assert refuses(first, body.replace(b"high", b"info"), headers)
assert refuses("whsec_" + "A" * 32, body, headers)

second = call("POST", f"/api/v1/event-hooks/{hook['id']}/secret/rotate")["secret"]
call("PATCH", f"/api/v1/findings/{finding['id']}", {"status": "in_progress"})
body, headers = received.get(timeout=30)
for secret in (first, second):
    assert Webhook(secret).verify(body, headers)["type"] == "finding.status_changed"
