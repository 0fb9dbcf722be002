package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.testing.Await;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests two instances of Ballast with the same secret. The provider accepts each refresh token only once, like a
 * provider that rotates refresh tokens.
 */
class OidcInstancesTest {

    private OidcSetup setup;
    private TestBrowser first;
    private TestBrowser second;

    @BeforeEach
    void start() throws Exception {
        setup = OidcSetup.start();
        setup.provider.refreshable = true;
        use(HttpRequests.HTTP_1);
    }

    private void use(HttpRequests version) throws Exception {
        first = new TestBrowser(version, setup.balancer);
        second = new TestBrowser(version, setup.startAnother());
    }

    /** Copies the cookies of one browser to another, as if one browser sent them to the other instance. */
    private static void move(TestBrowser from, TestBrowser to) {
        Map<String, String> cookies = Map.copyOf(from.cookies());
        to.cookies().clear();
        to.cookies().putAll(cookies);
    }

    @AfterEach
    void close() {
        setup.close();
    }

    @ParameterizedTest
    @EnumSource
    void sessionIsRefreshedByEitherInstance(HttpRequests version) throws Exception {
        use(version);
        first.logIn(setup.provider, "/");
        for (int i = 1; i <= 4; i++) {
            setup.seconds.addAndGet(250);
            TestBrowser one = i % 2 == 1 ? second : first;
            TestBrowser other = i % 2 == 1 ? first : second;
            move(other, one);
            assertThat(one.send("GET", "/").headers("Set-Cookie")).isNotEmpty();
            assertThat(setup.provider.refreshes()).isEqualTo(i);
        }
    }

    @Test
    void refreshThatAnotherInstanceHasMadeFirstDoesNotEndTheSession() throws Exception {
        first.logIn(setup.provider, "/");
        move(first, second);
        setup.seconds.addAndGet(250);
        assertThat(first.send("GET", "/").headers("Set-Cookie")).isNotEmpty();

        Answer refused = second.send("GET", "/"); // sent before the response of the first instance has arrived

        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.headers("Set-Cookie")).isEmpty();
        move(first, second);
        assertThat(second.send("GET", "/").status()).isEqualTo(200);
        setup.seconds.addAndGet(250);
        assertThat(second.send("GET", "/").headers("Set-Cookie")).isNotEmpty();
        assertThat(setup.provider.refreshes()).isEqualTo(3);
    }

    @Test
    void concurrentRefreshesOfTwoInstancesLoseNoSession() throws Exception {
        first.logIn(setup.provider, "/");
        move(first, second);
        setup.seconds.addAndGet(250);
        CountDownLatch both = new CountDownLatch(2);
        setup.provider.token = exchange -> {
            both.countDown();
            await(both);
            return setup.provider.tokens(exchange);
        };
        CompletableFuture<Answer> one = Await.start(() -> first.send("GET", "/"));
        CompletableFuture<Answer> other = Await.start(() -> second.send("GET", "/"));

        assertThat(one.get().status()).isEqualTo(200);
        assertThat(other.get().status()).isEqualTo(200);
        assertThat(one.get().headers("Set-Cookie").isEmpty())
                .as("one of them has got the new cookie")
                .isNotEqualTo(other.get().headers("Set-Cookie").isEmpty());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void logoutEndsTheSessionOfOtherInstancesWhenTheAccessTokenExpires() {
        first.logIn(setup.provider, "/");
        move(first, second); // gives the second browser a copy of the cookie
        assertThat(first.send("POST", "/oauth2/logout", "Origin", "http://a", "Content-Length", "0")
                        .status())
                .isEqualTo(303);
        Await.until(() -> setup.provider.revocations() == 1);

        assertThat(second.send("GET", "/").status()).isEqualTo(200);
        setup.seconds.addAndGet(299);
        assertThat(second.send("GET", "/").status()).isEqualTo(200);
        setup.seconds.addAndGet(1);
        assertThat(second.send("GET", "/").status()).isEqualTo(401);
        assertThat(location(second.open("/"))).startsWith(setup.provider.issuer());
    }
}
