import unittest

from harness.browser import Browser, Page
from harness.echo import EchoServer


class OidcTest(unittest.TestCase):
    def test_browser_keeps_and_deletes_cookies(self):
        server = EchoServer()
        browser = Browser()
        host = f"127.0.0.1:{server.port}"

        browser._store(host, "a=1; Path=/; HttpOnly")
        browser._store(host, "b=2; Path=/other")
        browser._store(host, "c=3; Path=/")
        browser._store(host, "c=; Max-Age=0; Path=/")

        self.assertIn('["cookie", "a=1"]', browser.open(f"http://{host}/page").body)

    def test_form_has_its_hidden_fields(self):
        page = _page('<form method="post" action="/end?a=b&amp;c=d"><input type="hidden" name="xsrf" value="x&amp;y"/><input name="login"></form>')

        self.assertEqual(page.form(), ("http://127.0.0.1/end?a=b&c=d", {"xsrf": "x&y"}))


def _page(body):
    return Page("http://127.0.0.1/", 200, [], body)
