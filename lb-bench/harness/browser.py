"""A scripted browser: a cookie jar for the hosts of one machine, redirects and HTML forms."""

import html
import http.client
import re
import urllib.parse

_TIMEOUT_SECONDS = 15
_NAVIGATION = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Sec-Fetch-Mode": "navigate"}


class Page:
    """A response, with the URL from which it came."""

    def __init__(self, url, status, headers, body):
        self.url, self.status, self.headers, self.body = url, status, headers, body

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def form(self):
        """Returns the URL of the first form and its hidden fields."""
        tag = re.search(r"<form[^>]*\baction=\"([^\"]*)\"", self.body)
        if not tag:
            raise ValueError(f"no form in the page {self.url} with status {self.status}: {self.body[:200]}")
        fields = {}
        for field in re.findall(r"<input[^>]*>", self.body):
            name, value = re.search(r"name=\"([^\"]*)\"", field), re.search(r"value=\"([^\"]*)\"", field)
            if name and value and "type=\"hidden\"" in field:
                fields[name[1]] = html.unescape(value[1])
        return urllib.parse.urljoin(self.url, html.unescape(tag[1])), fields


class Browser:
    """Keeps cookies by host, port and path. Unlike in a browser, each port has its own cookies, so that each server gets
    only its own cookies."""

    def __init__(self):
        self.cookies = {}
        self.visited = []

    def open(self, url, headers=None):
        """Sends a GET without following redirects."""
        return self.send("GET", url, {**_NAVIGATION, **(headers or {})})

    def follow(self, page, limit=20):
        """Follows redirects to the last page."""
        while page.status in (302, 303):
            limit -= 1
            if limit < 0:
                raise ValueError(f"too many redirects, the last one to {page.header('Location')}")
            page = self.open(urllib.parse.urljoin(page.url, page.header("Location")))
        return page

    def submit(self, page, **values):
        """Submits the first form of a page without following redirects."""
        url, fields = page.form()
        parts = urllib.parse.urlsplit(page.url)
        headers = {
            **_NAVIGATION,
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"{parts.scheme}://{parts.netloc}",
        }
        return self.send("POST", url, headers, urllib.parse.urlencode({**fields, **values}))

    def send(self, method, url, headers, body=None):
        parts = urllib.parse.urlsplit(url)
        sent = dict(headers)
        known = [(name, value) for (host, path, name), value in self.cookies.items() if host == parts.netloc and parts.path.startswith(path)]
        if known:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in known)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=_TIMEOUT_SECONDS)
        try:
            connection.request(method, urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, "")), body=body, headers=sent)
            response = connection.getresponse()
            page = Page(url, response.status, response.getheaders(), response.read().decode(errors="replace"))
        finally:
            connection.close()
        self.visited.append(url)
        for name, value in page.headers:
            if name.lower() == "set-cookie":
                self._store(parts.netloc, value)
        return page

    def _store(self, host, line):
        pair, *attributes = [part.strip() for part in line.split(";")]
        name, _, value = pair.partition("=")
        given = {key.lower(): text for key, _, text in (attribute.partition("=") for attribute in attributes)}
        key = (host, given.get("path", "/"), name)
        if given.get("max-age") == "0" or given.get("expires", "").startswith("Thu, 01 Jan 1970"):
            self.cookies.pop(key, None)
        else:
            self.cookies[key] = value
