package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.PolicyCounter;
import io.ballast.policy.config.oidc.OidcPages;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests logins with a provider that follows the standards. */
class OidcLoginTest {

    @ParameterizedTest
    @EnumSource
    void userLogsInAndReturnsToThePage(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);

            Answer callback = browser.logIn(setup.provider, "/cart?item=1&a=b%20c");

            assertThat(location(callback)).isEqualTo("http://a/cart?item=1&a=b%20c");
            assertThat(callback.headers("Cache-Control")).containsExactly("no-store");
            assertThat(browser.cookies().keySet()).containsExactly("ballast_session");
            assertThat(callback.headers("Set-Cookie").get(1))
                    .matches("ballast_session=1[A-Za-z0-9_-]+; Max-Age=28800; Path=/; HttpOnly; SameSite=Lax");
            for (int i = 0; i < 2; i++) { // the second request finds the session in the cache
                Answer page = browser.send("GET", "/cart", "X-User", "mallory", "X_User", "mallory");
                assertThat(page.status()).isEqualTo(200);
                assertThat(page.headers("Set-Cookie")).isEmpty();
                assertThat(setup.backend.nextRequest())
                        .contains("X-User: ann@id.example\r\n")
                        .doesNotContain("mallory");
            }
            assertThat(setup.result("login_completed")).isEqualTo(1);
            assertThat(setup.policy.counters().sum(PolicyCounter.PASSED)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyBrowsersThatLoadPagesAreRedirected(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);

            assertThat(location(browser.open("/"))).startsWith(setup.provider.issuer() + "/auth?tenant=1&");
            assertThat(browser.send("GET", "/", "Accept", "text/html").status()).isEqualTo(302);
            assertThat(browser.send("HEAD", "/", "Accept", "text/html").status())
                    .isEqualTo(302);
            for (Answer answer : List.of(
                    browser.send("GET", "/"),
                    browser.send("GET", "/", "Accept", "application/json"),
                    browser.send("POST", "/", "Accept", "text/html"),
                    browser.send("GET", "/", "Accept", "text/html", "Sec-Fetch-Mode", "cors"),
                    browser.send("GET", "/", "Accept", "text/html", "Sec-Purpose", "prefetch"),
                    browser.send("GET", "/", "Accept", "text/html", "X-Requested-With", "XMLHttpRequest"))) {
                assertThat(answer.status()).isEqualTo(401);
                assertThat(answer.headers("WWW-Authenticate"))
                        .containsExactly("Cookie cookie-name=\"ballast_session\"");
                assertThat(answer.headers("Set-Cookie")).isEmpty();
            }
            assertThat(setup.backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void cookiesOfTlsClientsAreSecure(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            setup.provider.redirectUri = "https://a/oauth2/callback";
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            String[] https = {"X-Forwarded-Proto", "https", "X-Forwarded-For", "192.0.2.1"};

            String callback = setup.provider.authorize(location(browser.open("/a", https)));
            assertThat(browser.cookies().keySet()).allMatch(name -> name.startsWith("__Host-ballast_session_login_"));
            Answer done = browser.send("GET", callback, https);

            assertThat(location(done)).isEqualTo("https://a/a");
            assertThat(done.headers("Set-Cookie").get(1))
                    .endsWith("; Max-Age=28800; Path=/; HttpOnly; Secure; SameSite=Lax");
            assertThat(browser.cookies().keySet()).containsExactly("__Host-ballast_session");
            assertThat(browser.send("GET", "/", https).status()).isEqualTo(200);
            assertThat(browser.send("GET", "/").status()).isEqualTo(401); // without TLS, the cookie has another name
        }
    }

    @ParameterizedTest
    @EnumSource
    void parallelLoginsOfOneBrowserEndAtTheirPages(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            String first = setup.provider.authorize(location(browser.open("/first")));
            String second = setup.provider.authorize(location(browser.open("/second")));
            assertThat(browser.cookies()).hasSize(2);

            assertThat(location(browser.send("GET", second))).isEqualTo("http://a/second");
            assertThat(location(browser.send("GET", first))).isEqualTo("http://a/first");
            assertThat(browser.cookies()).hasSize(1);
        }
    }

    @Test
    void abandonedLoginsDoNotFillTheHeadOfRequests() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            for (int i = 0; i < 30; i++) {
                assertThat(browser.open("/" + "x".repeat(i * 100)).status()).isEqualTo(302);
                assertThat(browser.cookies().toString()).hasSizeLessThan(4096);
            }
            assertThat(location(browser.logIn(setup.provider, "/last"))).isEqualTo("http://a/last");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "//evil.example/a | http://a//evil.example/a",
                "/\\evil.example | http://a/\\evil.example",
                "/a?b=//evil.example | http://a/a?b=//evil.example",
                "/.//evil.example | http://a/.//evil.example",
            })
    void userReturnsOnlyToTheSameHost(String path, String expected) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            Answer start = browser.open(path);
            if (start.status() == 302) { // other answers refuse the path
                assertThat(location(browser.send("GET", setup.provider.authorize(location(start)))))
                        .isEqualTo(expected);
            } else {
                assertThat(start.status()).isEqualTo(400);
            }
        }
    }

    @Test
    void longAddressIsShortened() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);

            assertThat(location(browser.logIn(setup.provider, "/a?" + "b".repeat(2000))))
                    .isEqualTo("http://a/a");
            browser.cookies().clear();
            assertThat(location(browser.logIn(setup.provider, "/" + "b".repeat(2000))))
                    .isEqualTo("http://a/");
        }
    }

    @ParameterizedTest
    @EnumSource
    void userWithoutRequiredClaimIsRefused(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start(
                provider -> provider, config -> OidcSetup.withRequired(config, Map.of("groups", List.of("staff"))))) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            setup.provider.userInfo = Map.of("sub", "ann", "groups", List.of("guests"));
            assertThat(location(browser.logIn(setup.provider, "/"))).isEqualTo("http://a/");
            assertThat(browser.open("/").status()).isEqualTo(403);

            browser.cookies().clear();
            setup.provider.userInfo = Map.of("sub", "ann", "groups", List.of("guests", "staff"));
            browser.logIn(setup.provider, "/");
            assertThat(browser.open("/").status()).isEqualTo(200);
            assertThat(setup.provider.userInfos()).isEqualTo(2);
        }
    }

    @Test
    void userInfoOfAnotherUserIsRefused() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            setup.provider.userClaims = Map.of("sub", "ann");
            setup.provider.userInfo = Map.of("sub", "bob", "email", "bob@id.example");
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);

            assertThat(browser.logIn(setup.provider, "/").status()).isEqualTo(503);
            assertThat(browser.cookies()).isEmpty();
        }
    }

    @Test
    void callbackUrlReplacesHostAndSchemeOfRequests() throws Exception {
        OidcPages pages = new OidcPages("https://shop.example/oauth2/callback", "/oauth2/logout", Optional.empty());
        try (OidcSetup setup = OidcSetup.start(provider -> provider, config -> OidcSetup.withPages(config, pages))) {
            setup.provider.redirectUri = "https://shop.example/oauth2/callback";
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);

            assertThat(location(browser.logIn(setup.provider, "/a"))).isEqualTo("https://a/a");
            assertThat(browser.cookies().keySet()).containsExactly("__Host-ballast_session");
        }
    }

    @Test
    void largeSessionNeedsTwoCookies() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            setup.provider.userClaims = Map.of("sub", "ann", "email", "ann@id.example", "note", "n".repeat(1800));
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            browser.logIn(setup.provider, "/");

            assertThat(browser.cookies().keySet()).containsExactly("ballast_session", "ballast_session_2");
            assertThat(browser.cookies().values()).allMatch(value -> value.length() < 3600);
            assertThat(browser.open("/").status()).isEqualTo(200);
            assertThat(browser.open("/").status()).isEqualTo(200);
            browser.cookies().remove("ballast_session_2");
            assertThat(browser.open("/").status()).isEqualTo(302);
        }
    }

    @Test
    void claimsThatThePolicyDoesNotUseAreOmittedFromAnOtherwiseTooLargeSession() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            setup.provider.userClaims = Map.of("sub", "ann", "email", "ann@id.example", "note", "n".repeat(5000));
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            browser.logIn(setup.provider, "/");

            assertThat(browser.cookies().keySet()).containsExactly("ballast_session");
            assertThat(browser.open("/").status()).isEqualTo(200);

            browser.cookies().clear();
            setup.provider.userClaims = Map.of("sub", "ann", "email", "e".repeat(5000));
            Answer answer = browser.logIn(setup.provider, "/");
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains("too many claims");
        }
    }

    @Test
    void sessionEndsAfterItsTime() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            browser.logIn(setup.provider, "/");
            setup.seconds.addAndGet(8 * 3600 - 1);
            assertThat(browser.open("/").status()).isEqualTo(200);
            setup.seconds.addAndGet(1);
            assertThat(browser.open("/").status()).isEqualTo(302);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dryRunLetsAllRequestsPassWithoutLogin(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.startDryRun()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            for (String path : List.of("/", "/oauth2/callback?code=a&state=b", "/oauth2/logout")) {
                Answer answer = browser.open(path, "X-User", "mallory");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.headers("Set-Cookie")).isEmpty();
                assertThat(setup.backend.nextRequest()).doesNotContain("mallory");
            }
            assertThat(setup.policy.counters().sum(PolicyCounter.WOULD_REFUSE)).isEqualTo(3);
        }
    }
}
