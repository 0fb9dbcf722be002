package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.PolicyCounter;
import io.ballast.policy.jwt.TestTokens;
import io.ballast.policy.oidc.ScriptedProvider.Reply;
import io.ballast.policy.testing.Await;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests providers that fail, and providers that are not the expected one. */
class OidcProviderTest {

    private static OidcSetup start(UnaryOperator<ScriptedProvider> script) throws Exception {
        return OidcSetup.start(script, config -> config);
    }

    private static void assertUnavailable(OidcSetup setup) {
        Await.until(() -> !setup.events.isEmpty());
        for (HttpRequests version : HttpRequests.values()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            assertThat(browser.open("/").status()).isEqualTo(503);
            assertThat(browser.send("GET", "/").status()).isEqualTo(503);
            assertThat(browser.cookies()).isEmpty();
        }
        assertThat(setup.policy.counters().sum(PolicyCounter.FAILED)).isEqualTo(4);
        assertThat(setup.events)
                .first()
                .asString()
                .isEqualTo("OpenID provider " + setup.provider.issuer() + ": unreachable, users cannot log in");
        assertThat(setup.backend.connections()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "issuer | https://other.example",
                "issuer | ",
                "token_endpoint | ",
                "jwks_uri | ",
                "authorization_endpoint | http://id.example/auth",
                "token_endpoint | http://id.example/token",
                "end_session_endpoint | javascript:alert(1)",
                "userinfo_endpoint | https://user:password@id.example/",
                "authorization_endpoint | https://id.example/a#b",
            })
    void wrongDiscoveryDocumentIsNotUsed(String member, String value) throws Exception {
        try (OidcSetup setup = start(provider -> {
            provider.metadata = document -> {
                document.put(member, value == null ? 1 : value);
                return document;
            };
            return provider;
        })) {
            assertUnavailable(setup);
        }
    }

    @ParameterizedTest
    @CsvSource({"500", "302", "404", "garbage", "list", "huge"})
    void failedDiscoveryIsUnavailable(String failure) throws Exception {
        try (OidcSetup setup = start(provider -> {
            provider.discovery = exchange -> switch (failure) {
                case "garbage" -> new Reply(200, "{");
                case "list" -> new Reply(200, "[]");
                case "huge" -> new Reply(200, "{\"a\":\"" + "x".repeat(300_000) + "\"}");
                default -> new Reply(Integer.parseInt(failure), "");
            };
            return provider;
        })) {
            assertUnavailable(setup);
        }
    }

    @Test
    void requestsWaitForTheFirstDiscovery() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (OidcSetup setup = start(provider -> {
            provider.metadata = document -> {
                await(release);
                return document;
            };
            return provider;
        })) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            CompletableFuture<Answer> answer = Await.start(() -> browser.open("/"));
            release.countDown();

            assertThat(answer.get().status()).isEqualTo(302);
        }
    }

    @Test
    void discoveryIsTriedAgain() throws Exception {
        try (OidcSetup setup = start(provider -> {
            provider.discovery = exchange -> new Reply(500, "");
            return provider;
        })) {
            Await.until(() -> !setup.events.isEmpty());
            setup.provider.discovery = null;
            Await.until(() -> setup.events.size() == 2);
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);

            assertThat(location(browser.logIn(setup.provider, "/"))).isEqualTo("http://a/");
        }
    }

    @Test
    void sessionsRemainValidWhileTheProviderIsUnreachable() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            browser.logIn(setup.provider, "/");
            setup.provider.close();

            assertThat(browser.open("/").status()).isEqualTo(200);
            browser.cookies().clear();
            assertThat(browser.open("/").status()).isEqualTo(302); // the last discovery document is still used
        }
    }

    @ParameterizedTest
    @CsvSource({
        "500, '', 503",
        "302, '', 503",
        "401, '{\"error\":\"invalid_client\"}', 503",
        "400, '{\"error\":\"invalid_grant\"}', 400",
        "200, '{', 503",
        "200, '[]', 503",
        "200, '{\"access_token\":\"a\",\"token_type\":\"mac\",\"id_token\":\"a.b.c\"}', 503",
        "200, '{\"access_token\":\"a\",\"token_type\":\"Bearer\"}', 403",
        "200, '{\"access_token\":\"a\",\"access_token\":\"b\",\"token_type\":\"Bearer\"}', 503",
        "200, 'huge', 503",
    })
    void failedTokenRequestStartsNoSession(int status, String body, int expected) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            setup.provider.token = exchange -> new Reply(status, body.equals("huge") ? "x".repeat(300_000) : body);
            for (HttpRequests version : HttpRequests.values()) {
                TestBrowser browser = new TestBrowser(version, setup.balancer);
                Answer answer = browser.logIn(setup.provider, "/");

                assertThat(answer.status()).isEqualTo(expected);
                assertThat(answer.body()).doesNotContain("invalid_", "access_token");
                assertThat(browser.cookies()).isEmpty();
            }
            assertThat(setup.result("login_failed")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void newKeyIsDownloaded(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            browser.logIn(setup.provider, "/");
            setup.provider.key = TestTokens.NEW_KEY;
            browser.cookies().clear();
            assertThat(browser.logIn(setup.provider, "/").status()).isEqualTo(403); // signed with an unknown key
            assertThat(browser.cookies()).isEmpty();

            setup.provider.published = TestTokens.NEW_KEY;
            setup.seconds.addAndGet(31); // unknown keys cause at most one download in 30 s
            assertThat(browser.logIn(setup.provider, "/").status()).isEqualTo(302);
            assertThat(browser.open("/").status()).isEqualTo(200);
        }
    }

    @Test
    void secretIsSentInTheBodyIfTheProviderNeedsThat() throws Exception {
        try (OidcSetup setup = start(provider -> {
            provider.metadata = document -> {
                document.put("token_endpoint_auth_methods_supported", List.of("client_secret_post"));
                return document;
            };
            return provider;
        })) {
            StringBuilder body = new StringBuilder();
            setup.provider.token = exchange -> {
                try {
                    body.append(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                body.append(exchange.getRequestHeaders().containsKey("Authorization"));
                return ScriptedProvider.error(400, "invalid_grant");
            };
            new TestBrowser(HttpRequests.HTTP_1, setup.balancer).logIn(setup.provider, "/");

            assertThat(body.toString())
                    .contains("&client_id=shop%3A1&client_secret=s%25cret%2B%2F")
                    .endsWith("false");
        }
    }

    @Test
    void providerThatAcceptsNoSecretIsNotUsed() throws Exception {
        try (OidcSetup setup = start(provider -> {
            provider.metadata = document -> {
                document.put("token_endpoint_auth_methods_supported", List.of("private_key_jwt"));
                return document;
            };
            return provider;
        })) {
            assertUnavailable(setup);
        }
    }

    @Test
    void issuerIsNotRequiredOfProvidersThatDoNotSendIt() throws Exception {
        try (OidcSetup setup = start(provider -> {
            provider.metadata = document -> {
                document.remove("authorization_response_iss_parameter_supported");
                return document;
            };
            return provider;
        })) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            String callback = setup.provider.authorize(location(browser.open("/")));

            assertThat(browser.send("GET", callback.replaceFirst("&iss=.*", "")).status())
                    .isEqualTo(302);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void clientThatDisconnectsDuringALoginFreesItsPlace() throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            CountDownLatch release = new CountDownLatch(1);
            setup.provider.token = exchange -> {
                await(release);
                return ScriptedProvider.error(400, "invalid_grant");
            };
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            String callback = setup.provider.authorize(location(browser.open("/")));
            StringBuilder head = new StringBuilder("GET " + callback + " HTTP/1.1\r\nHost: a\r\nCookie: ");
            browser.cookies()
                    .forEach((name, value) -> head.append(name).append('=').append(value));
            for (int i = 0; i < 70; i++) { // more requests than may be in progress
                try (var client = setup.balancer.client()) {
                    client.send(head + "\r\n\r\n");
                }
            }
            release.countDown();
            setup.provider.token = null;
            Await.until(() -> browser.logIn(setup.provider, "/").status() == 302);
        }
    }
}
