package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64URL;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcCookie;
import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.policy.jwt.TestTokens;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests attacks on logins and sessions. */
class OidcAttackTest {

    private OidcSetup setup;
    private TestBrowser browser;

    @BeforeEach
    void start() throws Exception {
        setup = OidcSetup.start();
        browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
    }

    @AfterEach
    void close() {
        setup.close();
    }

    private void assertRefused(Answer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(browser.cookies().keySet()).doesNotContain("ballast_session");
        assertThat(setup.result("login_failed")).isEqualTo(1);
    }

    // ---- the login

    @ParameterizedTest
    @EnumSource
    void callbackOfAnotherBrowserLogsNobodyIn(HttpRequests version) {
        TestBrowser attacker = new TestBrowser(version, setup.balancer);
        String callback = setup.provider.authorize(location(attacker.open("/")));
        browser = new TestBrowser(version, setup.balancer);
        browser.open("/"); // the victim has started a separate login

        assertRefused(browser.send("GET", callback), 400);
        assertThat(setup.provider.exchanges()).isZero();
    }

    @Test
    void loginCookieOfAnotherBrowserDoesNotFitTheState() {
        TestBrowser attacker = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
        String callback = setup.provider.authorize(location(attacker.open("/")));
        browser.open("/");
        String name = attacker.cookies().keySet().iterator().next();
        String own = browser.cookies().values().iterator().next();
        browser.cookies().put(name, own);

        assertRefused(browser.send("GET", callback), 400);
    }

    @ParameterizedTest
    @CsvSource({
        "code=a",
        "state=abc&code=a",
        "code=a&state=%zz",
        "code=a&code=b&state=0123456789012345678901",
        "code=a&state=0123456789012345678901&state=0123456789012345678901",
        "''",
        "code=a&state=01234567890123456789%0d%0a",
        "code=a&state=%C3%BC123456789012345678901",
    })
    void malformedCallbackIsRefused(String query) {
        assertRefused(browser.send("GET", "/oauth2/callback?" + query), 400);
    }

    @Test
    void callbackAcceptsOnlyGet() {
        String callback = setup.provider.authorize(location(browser.open("/")));

        assertRefused(browser.send("POST", callback, "Content-Length", "0"), 400);
    }

    @Test
    void loginExpires() {
        String callback = setup.provider.authorize(location(browser.open("/")));
        setup.seconds.addAndGet(600);

        assertRefused(browser.send("GET", callback), 400);
    }

    @Test
    void replayedCallbackStartsNoSession() {
        String callback = setup.provider.authorize(location(browser.open("/")));
        Map<String, String> before = new LinkedHashMap<>(browser.cookies());
        browser.send("GET", callback);
        assertThat(location(browser.send("GET", callback))).isEqualTo("http://a/");

        browser.cookies().clear();
        browser.cookies().putAll(before); // the attacker has also stolen the cookie of the login
        assertRefused(browser.send("GET", callback), 400);
        assertThat(setup.provider.exchanges()).isEqualTo(2);
    }

    @Test
    void codeOfAnotherLoginIsRefused() {
        TestBrowser attacker = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
        String foreign = setup.provider.authorize(location(attacker.open("/")));
        String own = setup.provider.authorize(location(browser.open("/")));
        String mixed = own.replaceFirst("code=[^&]*", foreign.replaceFirst(".*(code=[^&]*).*", "$1"));

        assertRefused(browser.send("GET", mixed), 400); // refused by PKCE, because the code belongs to another login
    }

    @ParameterizedTest
    @CsvSource({"&iss=https%3A%2F%2Fother.example, 400", "'', 400"})
    void answerOfAnotherProviderIsRefused(String issuer, int status) {
        String callback = setup.provider.authorize(location(browser.open("/")));

        assertRefused(browser.send("GET", callback.replaceFirst("&iss=.*", issuer)), status);
        assertThat(setup.provider.exchanges()).isZero();
    }

    @Test
    void deniedLoginIsRefused() {
        String state = location(browser.open("/")).replaceFirst(".*state=([^&]*).*", "$1");
        String iss = URLEncoder.encode(setup.provider.issuer(), StandardCharsets.UTF_8);
        Answer answer = browser.send(
                "GET",
                "/oauth2/callback?error=access_denied&error_description=%3Cscript%3E&state=" + state + "&iss=" + iss);

        assertRefused(answer, 403);
        assertThat(answer.body()).doesNotContain("script");
        assertThat(browser.cookies()).isEmpty();
    }

    @Test
    void hostOfAForwardingHeaderIsIgnored() {
        Answer answer = browser.open("/", "X-Forwarded-Host", "evil.example");
        assertThat(location(answer)).contains("redirect_uri=http%3A%2F%2Fa%2F");
    }

    // ---- ID tokens

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonce | other",
                "nonce | ",
                "iss | https://other.example",
                "aud | other",
                "sub | ",
                "azp | other",
                "at_hash | other",
                "at_hash | ",
                "exp | 1",
                "iat | now",
            })
    void wrongClaimIsRefused(String claim, String value) {
        setup.provider.idTokenClaims = claims -> {
            if (claim.equals("exp")) {
                claims.put(claim, setup.seconds.get() - 31);
            } else {
                claims.put(claim, value == null ? "" : value);
            }
            return claims;
        };

        assertRefused(browser.logIn(setup.provider, "/"), 403);
    }

    @ParameterizedTest
    @CsvSource({"nonce", "iss", "aud", "sub", "exp", "iat"})
    void missingClaimIsRefused(String claim) {
        setup.provider.idTokenClaims = claims -> {
            claims.remove(claim);
            return claims;
        };

        assertRefused(browser.logIn(setup.provider, "/"), 403);
    }

    @Test
    void tokenForSeveralAudiencesMustNameTheClient() {
        setup.provider.idTokenClaims = claims -> {
            claims.put("aud", List.of(ScriptedProvider.CLIENT_ID, "other"));
            return claims;
        };
        assertRefused(browser.logIn(setup.provider, "/"), 403);

        setup.provider.idTokenClaims = claims -> {
            claims.put("aud", List.of(ScriptedProvider.CLIENT_ID, "other"));
            claims.put("azp", ScriptedProvider.CLIENT_ID);
            return claims;
        };
        assertThat(browser.logIn(setup.provider, "/").status()).isEqualTo(302);
    }

    @ParameterizedTest
    @CsvSource({"none", "HS256", "key", "typ", "garbage", "missing"})
    void forgedIdTokenIsRefused(String attack) {
        setup.provider.signer = claims -> forged(attack, claims);

        assertRefused(browser.logIn(setup.provider, "/"), 403);
    }

    private static String forged(String attack, String claims) {
        String content = Base64URL.encode("{\"alg\":\"none\"}") + "." + Base64URL.encode(claims) + ".";
        try {
            return switch (attack) {
                case "none" -> content;
                case "HS256" -> // signed with the client's public key or secret as the shared secret
                    TestTokens.signed(
                            new MACSigner(TestTokens.OLD_KEY.toPublicJWK().toString()),
                            JWSAlgorithm.HS256,
                            "{\"alg\":\"HS256\",\"kid\":\"old\"}",
                            claims);
                case "key" -> TestTokens.signed(TestTokens.NEW_KEY, TestTokens.HEADER, claims);
                case "typ" ->
                    TestTokens.signed(
                            TestTokens.OLD_KEY, "{\"alg\":\"ES256\",\"kid\":\"old\",\"typ\":\"logout+jwt\"}", claims);
                case "garbage" -> "a.b.c";
                default -> "";
            };
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- cookies

    @Test
    void changedCookieIsNoSession() {
        browser.logIn(setup.provider, "/");
        String valid = browser.cookies().get("ballast_session");
        for (int i = 0; i < valid.length(); i += 7) {
            char other = valid.charAt(i) == 'A' ? 'B' : 'A';
            browser.cookies().put("ballast_session", valid.substring(0, i) + other + valid.substring(i + 1));
            assertThat(browser.send("GET", "/").status()).as("position " + i).isEqualTo(401);
        }
        for (String other :
                List.of("", "1", "2", "3", "1" + valid, valid + "=", valid + "A", "2" + valid.substring(1))) {
            browser.cookies().put("ballast_session", other);
            assertThat(browser.send("GET", "/").status()).as(other).isEqualTo(401);
        }
        browser.cookies().put("ballast_session", valid);
        assertThat(browser.send("GET", "/").status()).isEqualTo(200);
    }

    @Test
    void cookieOfALoginIsNoSession() {
        browser.open("/");
        browser.cookies()
                .put(
                        "ballast_session",
                        "1" + browser.cookies().values().iterator().next());

        assertThat(browser.send("GET", "/").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({"client", "name", "secret"})
    void cookieOfAnotherPolicyIsNoSession(String difference) throws Exception {
        browser.logIn(setup.provider, "/");
        OidcConfig own = setup.config;
        OidcConfig other =
                switch (difference) {
                    case "client" ->
                        new OidcConfig(
                                new OidcClient(
                                        own.client().issuer(),
                                        false,
                                        "other",
                                        own.client().secret(),
                                        own.client().secretFile(),
                                        own.client().scopes()),
                                own.pages(),
                                own.cookie(),
                                own.required(),
                                own.headers(),
                                own.identity(),
                                own.session());
                    case "name" ->
                        own.withCookie(new OidcCookie(
                                "other",
                                own.cookie().secrets(),
                                own.cookie().secretFile(),
                                own.cookie().domain(),
                                own.cookie().sameSite()));
                    default ->
                        own.withCookie(own.cookie().withSecrets(List.of(new OidcSecret("another secret".repeat(3)))));
                };
        try (TestBackend backend = TestBackend.playing(Script.ok("secret"));
                TestBalancer second = start(backend, HttpRequests.named("oidc", setup.create(other)))) {
            TestBrowser stolen = new TestBrowser(HttpRequests.HTTP_1, second);
            String value = browser.cookies().get("ballast_session");
            stolen.cookies().put("ballast_session", value);
            stolen.cookies().put("other", value);

            assertThat(stolen.send("GET", "/").status()).isEqualTo(401);
            assertThat(backend.connections()).isZero();
        }
    }

    @Test
    void olderSecretsStillDecrypt() throws Exception {
        browser.logIn(setup.provider, "/");
        OidcCookie rotated = setup.config
                .cookie()
                .withSecrets(List.of(new OidcSecret("a newer secret".repeat(3)), OidcSetup.SECRET));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer second =
                        start(backend, HttpRequests.named("oidc", setup.create(setup.config.withCookie(rotated))))) {
            TestBrowser later = new TestBrowser(HttpRequests.HTTP_1, second);
            later.cookies().putAll(browser.cookies());

            assertThat(later.send("GET", "/").status()).isEqualTo(200);
            later.cookies().clear();
            later.logIn(setup.provider, "/");
            browser.cookies().putAll(later.cookies());
            assertThat(browser.send("GET", "/").status()).isEqualTo(401); // the older policy lacks the newer secret
        }
    }

    @Test
    void loginStartsAnotherSession() {
        browser.logIn(setup.provider, "/");
        String before = browser.cookies().get("ballast_session");
        browser.cookies().put("ballast_session", "1fixated");
        browser.logIn(setup.provider, "/");

        assertThat(browser.cookies().get("ballast_session"))
                .isNotEqualTo(before)
                .isNotEqualTo("1fixated");
    }

    private static TestBalancer start(TestBackend backend, NamedPolicy policy) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(policy)
                .start();
    }
}
