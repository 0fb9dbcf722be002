"""An application that answers with the headers it receives, and what its answers must contain."""

import http.client
import http.server
import json
import threading

from harness import ports

_TIMEOUT_SECONDS = 10


class EchoServer:
    """An application that answers with the headers of each request as JSON: pairs of a name in lower case and a value."""

    def __init__(self):
        self.requests = 0
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                owner.requests += 1
                body = json.dumps([[name.lower(), value] for name, value in self.headers.items()]).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer((ports.LOOPBACK, 0), Handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()


class Answer:
    """A response. The application's body has the headers that it received."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


def fetch(port, path, headers=(), method="GET", body=None):
    connection = http.client.HTTPConnection(ports.LOOPBACK, port, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request(method, path, body=body, headers=dict(headers))
        response = connection.getresponse()
        return Answer(response.status, response.getheaders(), response.read().decode(errors="replace"))
    finally:
        connection.close()


def faults(answer, status, received=(), absent=""):
    """Returns how an answer differs from the expected one."""
    found = []
    if answer.status != status:
        found.append(f"status {answer.status} instead of {status}")
    elif received:
        echoed = json.loads(answer.body)
        found += [f"the application received no {name}: {value}" for name, value in received if [name.lower(), value] not in echoed]
    if absent and absent in answer.body:
        found.append(f"{absent} reached the application or the client")
    return found
