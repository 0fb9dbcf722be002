package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.oidc.ScriptedProvider.Reply;
import io.ballast.policy.testing.Await;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the refresh of sessions: access tokens are valid for 300 s, and refreshed in their last 60 s. */
class OidcRefreshTest {

    private OidcSetup setup;
    private TestBrowser browser;

    @BeforeEach
    void start() throws Exception {
        setup = OidcSetup.start();
        setup.provider.refreshable = true;
        browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
    }

    @AfterEach
    void close() {
        setup.close();
    }

    private void awaitRefresh(String result) {
        Await.until(() -> setup.result(result) == 1);
    }

    @ParameterizedTest
    @EnumSource
    void sessionIsRefreshedBeforeItsTokenExpires(HttpRequests version) {
        browser = new TestBrowser(version, setup.balancer);
        browser.logIn(setup.provider, "/");
        String first = browser.cookies().get("ballast_session");
        setup.seconds.addAndGet(239);
        assertThat(browser.open("/").status()).isEqualTo(200);
        assertThat(setup.provider.refreshes()).isZero();

        setup.seconds.addAndGet(1);
        setup.provider.userClaims = Map.of("sub", "ann", "email", "ann@new.example");
        Answer renewed = browser.open("/");

        assertThat(setup.result("refreshed")).isEqualTo(1);
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.headers("Cache-Control")).containsExactly("private");
        assertThat(browser.cookies().get("ballast_session")).isNotEqualTo(first);
        assertThat(setup.backend.requests().get(setup.backend.requests().size() - 1))
                .contains("X-User: ann@new.example\r\n");
        assertThat(browser.open("/").headers("Set-Cookie")).isEmpty();
        setup.seconds.addAndGet(290); // the new session needs the new refresh token
        assertThat(browser.open("/").status()).isEqualTo(200);
        assertThat(setup.provider.refreshes()).isEqualTo(2);
    }

    @Test
    void requestWithAValidSessionDoesNotWaitLongForTheProvider() {
        browser.logIn(setup.provider, "/");
        String first = browser.cookies().get("ballast_session");
        CountDownLatch release = new CountDownLatch(1);
        setup.provider.token = exchange -> {
            await(release);
            return setup.provider.tokens(exchange);
        };
        setup.seconds.addAndGet(250);

        Answer answer = browser.open("/"); // if this request waited for the provider, it would take 10 s and then fail

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers("Set-Cookie")).isEmpty();
        release.countDown();
        awaitRefresh("refreshed");
        assertThat(browser.open("/").headers("Set-Cookie")).isNotEmpty();
        assertThat(browser.cookies().get("ballast_session")).isNotEqualTo(first);
    }

    @Test
    void renewedSessionIsKeptUntilTheClientSendsItsCookie() {
        browser.logIn(setup.provider, "/");
        Map<String, String> old = Map.copyOf(browser.cookies());
        setup.seconds.addAndGet(250);
        assertThat(browser.open("/").headers("Set-Cookie")).isNotEmpty();
        browser.cookies().clear(); // simulates a lost response
        browser.cookies().putAll(old);

        setup.seconds.addAndGet(4 * 3600); // the refresh token of the old cookie was used
        assertThat(browser.open("/").status()).isEqualTo(200);
        assertThat(browser.cookies().get("ballast_session")).isNotEqualTo(old.get("ballast_session"));
        assertThat(setup.provider.refreshes()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void policiesThatShareASessionShareItsRefresh(HttpRequests version) throws Exception {
        TestBrowser beside = new TestBrowser(
                version,
                setup.startBeside(OidcSetup.withRequired(setup.config, Map.of("email", List.of("ann@id.example")))));
        browser.logIn(setup.provider, "/");
        beside.cookies().clear();
        beside.cookies().putAll(browser.cookies());
        setup.seconds.addAndGet(250);
        assertThat(browser.open("/").headers("Set-Cookie")).isNotEmpty();

        Answer answer = beside.send("GET", "/"); // the refresh token of this cookie was used

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers("Set-Cookie")).isNotEmpty();
        assertThat(setup.provider.refreshes()).isEqualTo(1);
    }

    @Test
    void failureDoesNotForgetTheTokenOfARenewedSessionThatTheClientDoesNotHave() {
        browser.logIn(setup.provider, "/");
        Map<String, String> old = Map.copyOf(browser.cookies());
        setup.seconds.addAndGet(250);
        assertThat(browser.open("/").headers("Set-Cookie")).isNotEmpty();
        browser.cookies().clear(); // simulates a lost response
        browser.cookies().putAll(old);
        setup.provider.token = exchange -> new Reply(500, "");
        setup.seconds.addAndGet(3600);
        assertThat(browser.send("GET", "/").status()).isEqualTo(401);

        setup.provider.token = null;
        setup.seconds.addAndGet(10);

        assertThat(browser.send("GET", "/").status()).isEqualTo(200);
    }

    @Test
    void requestAfterTheTokenHasExpiredWaitsForTheRefresh() {
        browser.logIn(setup.provider, "/");
        setup.seconds.addAndGet(3600);

        Answer answer = browser.send("GET", "/");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers("Set-Cookie")).isNotEmpty();
        assertThat(setup.provider.refreshes()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {299, 3600})
    void parallelRequestsShareOneRefresh(int seconds) throws Exception {
        browser.logIn(setup.provider, "/");
        setup.seconds.addAndGet(seconds);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger arrived = new AtomicInteger();
        setup.provider.token = exchange -> {
            arrived.incrementAndGet();
            await(release);
            return setup.provider.tokens(exchange);
        };
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            TestBrowser tab = new TestBrowser(i % 2 == 0 ? HttpRequests.HTTP_1 : HttpRequests.HTTP_2, setup.balancer);
            tab.cookies().putAll(browser.cookies());
            answers.add(Await.start(() -> tab.send("GET", "/")));
        }
        Await.until(() -> arrived.get() == 1);
        if (seconds < 300) { // all other requests pass, although the refresh still runs
            Await.until(() -> answers.stream().filter(CompletableFuture::isDone).count() >= 15);
        }
        release.countDown();
        for (CompletableFuture<Answer> answer : answers) {
            assertThat(answer.get().status()).isEqualTo(200);
        }
        awaitRefresh("refreshed");
        assertThat(browser.send("GET", "/").headers("Set-Cookie")).isNotEmpty(); // replaces the old cookie
        assertThat(setup.provider.refreshes()).isEqualTo(1);
        assertThat(arrived.get()).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusedRefreshRequiresANewLogin(HttpRequests version) {
        browser = new TestBrowser(version, setup.balancer);
        browser.logIn(setup.provider, "/");
        setup.provider.token = exchange -> ScriptedProvider.error(400, "invalid_grant");
        setup.seconds.addAndGet(3600);

        assertThat(location(browser.open("/"))).startsWith(setup.provider.issuer());
        assertThat(browser.send("GET", "/").status()).isEqualTo(401);
        assertThat(setup.result("refresh_failed")).isEqualTo(1);
        setup.provider.token = null;
        browser.logIn(setup.provider, "/");
        assertThat(browser.open("/").status()).isEqualTo(200);
    }

    @Test
    void failingProviderDoesNotEndASessionThatIsValid() {
        browser.logIn(setup.provider, "/");
        setup.provider.token = exchange -> new Reply(500, "");
        setup.seconds.addAndGet(250);
        assertThat(browser.open("/").status()).isEqualTo(200);
        assertThat(setup.result("refresh_failed")).isEqualTo(1);
        assertThat(setup.events).hasSize(1).first().asString().contains("unreachable");
        for (int i = 0; i < 3; i++) {
            assertThat(browser.open("/").status()).isEqualTo(200);
        }
        assertThat(setup.result("refresh_failed")).isEqualTo(1); // a failed refresh is not repeated before 10 s

        setup.provider.token = null;
        setup.seconds.addAndGet(10);
        assertThat(browser.open("/").status()).isEqualTo(200);
        assertThat(setup.result("refreshed")).isEqualTo(1);
        assertThat(setup.events).hasSize(2).last().asString().contains(": reachable");
    }

    @Test
    void claimsRemainIfARefreshBringsNoIdToken() {
        setup.provider.refreshSendsIdToken = false;
        setup.provider.userInfo = Map.of("sub", "ann", "email", "ann@info.example");
        browser.logIn(setup.provider, "/");
        setup.seconds.addAndGet(3600);

        assertThat(browser.send("GET", "/").status()).isEqualTo(200);
        assertThat(setup.backend.requests().get(0)).contains("X-User: ann@info.example\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sub", "nonce", "iss"})
    void refreshWithTheTokenOfAnotherUserEndsTheSession(String claim) {
        browser.logIn(setup.provider, "/");
        setup.provider.idTokenClaims = claims -> {
            Map<String, Object> other = new LinkedHashMap<>(claims);
            other.put(claim, "bob");
            return other;
        };
        setup.seconds.addAndGet(3600);

        assertThat(browser.send("GET", "/").status()).isEqualTo(claim.equals("nonce") ? 200 : 401);
    }

    @Test
    void sessionIsNotExtendedByRefreshes() {
        browser.logIn(setup.provider, "/");
        for (int hour = 1; hour < 8; hour++) {
            setup.seconds.addAndGet(3600);
            assertThat(browser.send("GET", "/").status()).isEqualTo(200);
        }
        setup.seconds.addAndGet(3600);
        assertThat(browser.send("GET", "/").status()).isEqualTo(401);
    }

    @Test
    void logoutDuringARefreshEndsTheSession() throws Exception {
        browser.logIn(setup.provider, "/");
        setup.seconds.addAndGet(3600);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        setup.provider.token = exchange -> {
            arrived.countDown();
            await(release);
            return setup.provider.tokens(exchange);
        };
        TestBrowser tab = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
        tab.cookies().putAll(browser.cookies());
        CompletableFuture<Answer> waiting = Await.start(() -> tab.send("GET", "/"));
        await(arrived);
        browser.send("POST", "/oauth2/logout", "Origin", "http://a", "Content-Length", "0");
        release.countDown();

        assertThat(waiting.get().status()).isEqualTo(401);
        assertThat(tab.send("GET", "/").status()).isEqualTo(401);
    }
}
