package io.ballast.policy.cache;

import static io.ballast.policy.cache.CacheSetup.FRESH;
import static io.ballast.policy.cache.CacheSetup.ok;
import static io.ballast.policy.cache.CacheSetup.response;
import static io.ballast.policy.cache.CacheSetup.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import io.ballast.policy.testing.TestPolicies;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests when stale responses are revalidated, replaced or used. */
class RevalidationTest {

    private static final String TAG = "ETag: \"a\"";

    private final CacheSetup setup = new CacheSetup();
    private final CachePolicy cache = setup.cache();

    @AfterEach
    void close() {
        setup.close();
    }

    private long count(CacheOutcome outcome) {
        return CacheSetup.count(cache, outcome);
    }

    @ParameterizedTest
    @EnumSource
    void staleResponsesAreConfirmed(HttpRequests http) throws Exception {
        String modified = "Last-Modified: Wed, 25 Nov 2026 12:00:00 GMT";
        try (TestBackend backend = TestBackend.playing(
                        ok("hello", FRESH, TAG, modified, "X-A: 1", "X-B: 1", "Content-Type: text/plain"),
                        status("304 Not Modified", TAG, "X-A: 2", "Content-Type: text/html", "Set-Cookie: a=b"));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a", "X-Q", "first");
            setup.advance(100);
            Answer confirmed = CacheSetup.get(
                    http, balancer, "/a", "X-Q", "second", "If-None-Match", "\"z\"", "Range", "bytes=0-0");
            setup.advance(5);
            Answer hit = CacheSetup.get(http, balancer, "/a");

            assertThat(confirmed.status()).isEqualTo(206);
            assertThat(confirmed.body()).isEqualTo("h");
            assertThat(hit.body()).isEqualTo("hello");
            assertThat(hit.headers("x-a")).containsExactly("2");
            assertThat(hit.headers("x-b")).containsExactly("1");
            assertThat(hit.headers("content-type")).containsExactly("text/plain");
            assertThat(hit.headers("set-cookie")).isEmpty();
            assertThat(hit.headers("age")).containsExactly("5");
            assertThat(backend.requests()).hasSize(2);
            String sent = backend.requests().get(1).toLowerCase(Locale.ROOT);
            assertThat(sent)
                    .contains("x-q: second")
                    .contains("if-none-match: \"a\"\r\n")
                    .contains("if-modified-since: wed, 25 nov 2026 12:00:00 gmt\r\n")
                    .doesNotContain("range:")
                    .doesNotContain("\"z\"");
            assertThat(count(CacheOutcome.REVALIDATED)).isEqualTo(1);
            balancer.awaitQuiet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatHaveAConfirmedResponseGet304(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("hello", FRESH, TAG), status("304 Not Modified", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            assertThat(CacheSetup.get(http, balancer, "/a", "If-None-Match", "\"a\"")
                            .status())
                    .isEqualTo(304);
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void changedResponsesReplaceStaleOnes(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("old", FRESH, TAG), ok("new", FRESH, "ETag: \"b\""));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("new");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("new");
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatMustNotBeStoredIsForOneClient(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        ok("old", FRESH, TAG),
                        ok("mine", "Cache-Control: private", "Set-Cookie: a=b"),
                        ok("next", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            Answer own = CacheSetup.get(http, balancer, "/a");
            assertThat(own.body()).isEqualTo("mine");
            assertThat(own.headers("set-cookie")).containsExactly("a=b");
            Answer next = CacheSetup.get(http, balancer, "/a");
            assertThat(next.body()).isEqualTo("next");
            assertThat(next.headers("set-cookie")).isEmpty();
            assertThat(backend.requests()).hasSize(3);
            balancer.awaitQuiet();
            assertThat(cache.store().responses()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNewResponseThatIsTooLongIsRevalidatedOnce(HttpRequests http) throws Exception {
        String longer = "x".repeat((int) CacheSetup.MEMORY / 8 + 1);
        try (TestBackend backend = TestBackend.playing(
                        ok("old", FRESH, TAG), ok(longer, FRESH), ok(longer, FRESH), ok(longer, FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo(longer);
            assertThat(backend.requests()).hasSize(3);
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo(longer);
            assertThat(backend.requests()).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConfirmationOfAnotherResponseIsNotUsed(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        ok("old", FRESH, TAG), status("304 Not Modified", "ETag: \"b\""), ok("new", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("new");
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsMayRequireAValidation(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("hello", FRESH, TAG), status("304 Not Modified", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");

            assertThat(CacheSetup.get(http, balancer, "/a", "Cache-Control", "no-cache")
                            .body())
                    .isEqualTo("hello");
            assertThat(CacheSetup.get(http, balancer, "/a", "Pragma", "no-cache")
                            .body())
                    .isEqualTo("hello");
            assertThat(backend.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void staleResponsesAreUsedDuringTheirRevalidation(HttpRequests http) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Script slow = connection -> {
            connection.readRequest();
            connection.await(latch).send(response("new", FRESH));
        };
        try (TestBackend backend =
                        TestBackend.playing(ok("old", "Cache-Control: max-age=60, stale-while-revalidate=60"), slow);
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("old");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("old");
            latch.countDown();
            balancer.await("the new response is stored", () -> count(CacheOutcome.STORED) == 2);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("new");
            assertThat(backend.requests()).hasSize(2);
            assertThat(count(CacheOutcome.STALE)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void staleResponsesAreUsedIfTheBackendFails(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        ok("old", "Cache-Control: max-age=60, stale-if-error=60"),
                        status("503 Service Unavailable"),
                        Script.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
                        ok("new", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("old");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("old");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("new");
            assertThat(count(CacheOutcome.STALE)).isEqualTo(2);
            balancer.awaitQuiet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void staleResponsesAreNotUsedForever(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        ok("old", "Cache-Control: max-age=60, stale-if-error=60", TAG),
                        status("503 Service Unavailable"));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(1000);

            assertThat(CacheSetup.get(http, balancer, "/a").status()).isEqualTo(503);
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsShareARevalidation(HttpRequests http) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Script slow = connection -> {
            connection.readRequest();
            connection.await(latch).send("HTTP/1.1 304 Not Modified\r\n" + FRESH + "\r\n\r\n");
        };
        try (TestBackend backend = TestBackend.playing(ok("hello", "Cache-Control: no-cache", TAG), slow);
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            CompletableFuture<Answer> one = send(http, balancer);
            CompletableFuture<Answer> two = send(http, balancer);
            balancer.await("both requests wait", () -> cache.fetches().waiting() == 2);

            latch.countDown();

            assertThat(one.get(1, TimeUnit.MINUTES).body()).isEqualTo("hello");
            assertThat(two.get(1, TimeUnit.MINUTES).body()).isEqualTo("hello");
            assertThat(backend.requests()).hasSize(2);
        }
    }

    private static CompletableFuture<Answer> send(HttpRequests http, TestBalancer balancer) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> answer.complete(CacheSetup.get(http, balancer, "/a")), "client");
        thread.setDaemon(true);
        thread.start();
        return answer;
    }
}
