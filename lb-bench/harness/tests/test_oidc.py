import unittest

from harness import oidc
from harness.browser import Browser, Page
from harness.forward_auth import EchoServer


class OidcTest(unittest.TestCase):
    def test_expected_page_has_no_fault(self):
        self.assertEqual(oidc.faults(_page('[["x-user", "ann"]]'), 200, "ann", absent="mallory"), [])

    def test_other_pages_have_faults(self):
        page = _page('[["x-user", "mallory"]]')

        self.assertEqual(len(oidc.faults(page, 401)), 1)
        self.assertEqual(len(oidc.faults(page, 200, "ann", absent="mallory")), 2)

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
