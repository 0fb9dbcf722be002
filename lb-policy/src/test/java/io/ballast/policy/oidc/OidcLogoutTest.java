package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.oidc.OidcPages;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the end of sessions by users. */
class OidcLogoutTest {

    private static final OidcPages PAGES =
            new OidcPages("/oauth2/callback", "/oauth2/logout", Optional.of("http://a/bye?x=1"));

    private static Answer logOut(TestBrowser browser) {
        return browser.send("POST", "/oauth2/logout", "Origin", "http://a", "Content-Length", "0");
    }

    @ParameterizedTest
    @EnumSource
    void userLogsOutHereAndAtTheProvider(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start(provider -> provider, config -> OidcSetup.withPages(config, PAGES))) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            browser.logIn(setup.provider, "/");
            Map<String, String> stolen = Map.copyOf(browser.cookies());

            Answer answer = logOut(browser);

            assertThat(answer.status()).isEqualTo(303);
            assertThat(location(answer))
                    .startsWith(setup.provider.issuer() + "/logout?client_id=shop%3A1"
                            + "&post_logout_redirect_uri=http%3A%2F%2Fa%2Fbye%3Fx%3D1&id_token_hint=eyJ");
            assertThat(browser.cookies()).isEmpty();
            assertThat(browser.open("/").status()).isEqualTo(302);
            browser.cookies().putAll(stolen); // a copy of the cookie is rejected
            assertThat(browser.send("GET", "/").status()).isEqualTo(401);
            assertThat(setup.result("logged_out")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void linkOfTheSameOriginLogsOut(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            browser.logIn(setup.provider, "/");

            assertThat(browser.open("/oauth2/logout", "Sec-Fetch-Site", "same-origin")
                            .status())
                    .isEqualTo(303);
            assertThat(browser.cookies()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherSiteCannotLogAUserOut(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            browser.logIn(setup.provider, "/");
            String[][] requests = {
                {"Sec-Fetch-Site", "cross-site"},
                {"Sec-Fetch-Site", "same-site"},
                {"Sec-Fetch-Site", "cross-site", "Origin", "http://a"},
                {"Origin", "http://evil.example"},
                {"Origin", "null"},
                {"Origin", "https://a"},
                {"Referer", "http://evil.example/"},
            };
            for (String[] headers : requests) {
                Answer question = browser.open("/oauth2/logout", headers);
                assertThat(question.status()).isEqualTo(200);
                assertThat(question.body()).contains("<form method=\"post\" action=\"/oauth2/logout\">");
                assertThat(question.headers("Content-Security-Policy"))
                        .containsExactly("default-src 'none'; frame-ancestors 'none'");
                String[] post = Arrays.copyOf(headers, headers.length + 2);
                post[headers.length] = "Content-Length";
                post[headers.length + 1] = "0";
                assertThat(browser.send("POST", "/oauth2/logout", post).status())
                        .isEqualTo(403);
            }
            assertThat(browser.send("DELETE", "/oauth2/logout").status()).isEqualTo(405);
            assertThat(browser.open("/").status()).isEqualTo(200);
        }
    }

    @Test
    void providerWithoutLogoutPageIsNotAsked() throws Exception {
        try (OidcSetup setup = OidcSetup.start(
                provider -> {
                    provider.metadata = document -> {
                        document.remove("end_session_endpoint");
                        return document;
                    };
                    return provider;
                },
                config -> config)) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            browser.logIn(setup.provider, "/");

            Answer answer = logOut(browser);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("You are logged out.");
            assertThat(browser.cookies()).isEmpty();
        }
    }

    @Test
    void logoutWithoutSessionDeletesCookies() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_2, setup.balancer);
            browser.open("/");
            browser.cookies().put("ballast_session", "1garbage");

            assertThat(location(logOut(browser))).doesNotContain("id_token_hint");
            assertThat(browser.cookies()).doesNotContainKey("ballast_session");
            assertThat(setup.result("logged_out")).isZero();
        }
    }

    /** Policies with the same secret share their sessions; a reload with another rule creates a new policy. */
    @ParameterizedTest
    @EnumSource
    void otherPoliciesOfTheProcessRefuseAnEndedSession(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBalancer beside =
                    setup.startBeside(OidcSetup.withRequired(setup.config, Map.of("email", List.of("ann@id.example"))));
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            browser.logIn(setup.provider, "/");
            TestBrowser copy = new TestBrowser(version, beside);
            copy.cookies().putAll(browser.cookies());
            assertThat(copy.send("GET", "/").status()).isEqualTo(200);

            logOut(browser);

            assertThat(copy.send("GET", "/").status()).isEqualTo(401);
        }
    }
}
