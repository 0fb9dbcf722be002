"""Small requests of our own: is it there, what does it count."""

import json
import urllib.error
import urllib.request

# Whatever proxy the environment names, loopback is reached directly.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(url, timeout=2):
    """Returns the body of a 2xx answer, else None."""
    try:
        with _opener.open(url, timeout=timeout) as response:
            return response.read()
    except (urllib.error.URLError, OSError):
        return None


def is_ok(url):
    return get(url) is not None


def get_json(url):
    body = get(url)
    return None if body is None else json.loads(body)
