"""Small HTTP requests to local processes: readiness and counters."""

import json
import ssl
import urllib.error
import urllib.request

# Loopback is reached directly, without the proxy of the environment. Certificates are not verified: the server is
# identified by its port.
_opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=ssl._create_unverified_context())
)


def get(url, timeout=2):
    """Returns the body of a 2xx response, otherwise None."""
    try:
        with _opener.open(url, timeout=timeout) as response:
            return response.read()
    except (urllib.error.URLError, OSError):
        return None


def head(url, lines, timeout=2):
    """Returns the headers of a 2xx response to a request with these header lines, otherwise None."""
    request = urllib.request.Request(url, headers=dict(line.split(": ", 1) for line in lines))
    try:
        with _opener.open(request, timeout=timeout) as response:
            return response.headers
    except (urllib.error.URLError, OSError):
        return None


def status(url, timeout=2):
    """Returns the status of any response, None without one."""
    try:
        with _opener.open(url, timeout=timeout) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code
    except (urllib.error.URLError, OSError):
        return None


def is_ok(url):
    return get(url) is not None


def post_json(url, value, timeout=2):
    """Sends a value; an error of the server is an exception."""
    request = urllib.request.Request(url, json.dumps(value).encode(), {"Content-Type": "application/json"})
    with _opener.open(request, timeout=timeout):
        pass


def get_json(url):
    body = get(url)
    return None if body is None else json.loads(body)
