package io.ballast.policy.cache;

import static io.ballast.policy.cache.CacheSetup.FRESH;
import static io.ballast.policy.cache.CacheSetup.ok;
import static io.ballast.policy.cache.CacheSetup.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestErrorPages;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that one of several requests for a URL goes to the backend, and that the others wait for its response. */
class CacheWaitTest {

    private static final int CLIENTS = 8;

    private final CacheSetup setup = new CacheSetup();
    private final CountDownLatch latch = new CountDownLatch(1);

    @AfterEach
    void close() {
        setup.close();
    }

    private Script after(String raw) {
        return connection -> {
            connection.readRequest();
            connection.await(latch).send(raw);
        };
    }

    private static CompletableFuture<Answer> send(HttpRequests http, TestBalancer balancer, String... headers) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> answer.complete(http.get(balancer, "/a", headers)), "client");
        thread.setDaemon(true);
        thread.start();
        return answer;
    }

    private static Answer await(CompletableFuture<Answer> answer) throws Exception {
        return answer.get(1, TimeUnit.MINUTES);
    }

    /** Starts a request that reaches the backend, and other requests that wait for its response. */
    private static List<CompletableFuture<Answer>> start(
            HttpRequests http, TestBackend backend, TestBalancer balancer, CachePolicy cache) throws Exception {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        answers.add(send(http, balancer));
        backend.nextRequest();
        for (int i = 1; i < CLIENTS; i++) {
            answers.add(send(http, balancer));
        }
        balancer.await("the other requests wait", () -> cache.fetches().waiting() == CLIENTS - 1);
        return answers;
    }

    @ParameterizedTest
    @EnumSource
    void oneRequestServesAll(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        try (TestBackend backend = TestBackend.playing(after(response("hello", FRESH)));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            List<CompletableFuture<Answer>> answers = start(http, backend, balancer, cache);

            latch.countDown();

            for (CompletableFuture<Answer> answer : answers) {
                assertThat(await(answer).body()).isEqualTo("hello");
            }
            assertThat(backend.requests()).hasSize(1);
            assertThat(cache.fetches().waiting()).isZero();
            balancer.awaitQuiet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void allGoOnAtOnceAfterAnUncacheableResponse(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        try (TestBackend backend = TestBackend.playing(after(response("mine", "Cache-Control: private")));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            List<CompletableFuture<Answer>> answers = start(http, backend, balancer, cache);

            latch.countDown();

            for (CompletableFuture<Answer> answer : answers) {
                assertThat(await(answer).body()).isEqualTo("mine");
            }
            assertThat(backend.requests()).hasSize(CLIENTS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void allGoOnAtOnceAfterAResponseThatAnErrorPageReplaces(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        String missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        CountDownLatch all = new CountDownLatch(CLIENTS - 1);
        Script together = connection -> {
            connection.readRequest();
            all.countDown();
            connection.await(all).send(missing);
        };
        try (TestBackend backend = TestBackend.playing(after(missing), together);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .policies(TestPolicies.named(cache))
                        .errorPages(new TestErrorPages()
                                .page("404", "missing.html")
                                .intercept("404")
                                .build())
                        .start()) {
            List<CompletableFuture<Answer>> answers = start(http, backend, balancer, cache);

            latch.countDown();

            for (CompletableFuture<Answer> answer : answers) {
                assertThat(await(answer).body()).isEqualTo("missing.html");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsOfUncacheableUrlsDoNotWait(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        try (TestBackend backend = TestBackend.playing(
                        ok("mine", "Cache-Control: private"), after(response("mine", "Cache-Control: private")));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            await(send(http, balancer));
            backend.nextRequest();

            CompletableFuture<Answer> one = send(http, balancer);
            CompletableFuture<Answer> two = send(http, balancer);
            backend.nextRequest();
            backend.nextRequest();
            latch.countDown();

            assertThat(await(one).status()).isEqualTo(200);
            assertThat(await(two).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWaitingRequestLeadsAfterAFailure(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        Script broken = after("HTTP/1.1 200 OK\r\n" + FRESH + "\r\nContent-Length: 100\r\n\r\nhalf");
        Script closing = connection -> {
            broken.play(connection);
            connection.close();
        };
        try (TestBackend backend = TestBackend.playing(closing, ok("hello", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            RawClient leader = balancer.client().send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
            backend.nextRequest();
            CompletableFuture<Answer> one = send(http, balancer);
            CompletableFuture<Answer> two = send(http, balancer);
            balancer.await("the requests wait", () -> cache.fetches().waiting() == 2);

            latch.countDown();

            assertThat(await(one).body()).isEqualTo("hello");
            assertThat(await(two).body()).isEqualTo("hello");
            assertThat(backend.requests()).hasSize(2);
            leader.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWaitingRequestLeadsIfTheLeaderDisconnects(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        try (TestBackend backend = TestBackend.playing(Script.silence(), ok("hello", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            RawClient leader = balancer.client().send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
            backend.nextRequest();
            CompletableFuture<Answer> one = send(http, balancer);
            CompletableFuture<Answer> two = send(http, balancer);
            balancer.await("the requests wait", () -> cache.fetches().waiting() == 2);

            leader.reset();

            assertThat(await(one).body()).isEqualTo("hello");
            assertThat(await(two).body()).isEqualTo("hello");
        }
    }

    /** Closing the connection ends both requests, so the second one must not take over the fetch of the first one. */
    @Test
    void aFetchWhoseRequestsHaveAllEndedEnds() throws Exception {
        CachePolicy cache = setup.cache();
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            try (Http2Client client = Http2Client.connect(balancer.port())) {
                client.request(/* ends= */ true, "GET", "/a");
                balancer.await("the first request leads", () -> cache.fetches().running() == 1);
                client.request(/* ends= */ true, "GET", "/a");
                balancer.await("the second request waits", () -> cache.fetches().waiting() == 1);
            }

            balancer.await("the fetch has ended", () -> cache.fetches().running() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void varyingRequestsDoNotShareAResponse(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        Script echo = connection -> {
            String request = connection.readRequest();
            String language = request.toLowerCase(java.util.Locale.ROOT).contains("accept-language: de") ? "de" : "en";
            connection.await(latch).send(response(language, FRESH, "Vary: Accept-Language"));
        };
        try (TestBackend backend = TestBackend.playing(echo);
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CompletableFuture<Answer> one = send(http, balancer, "Accept-Language", "en");
            backend.nextRequest();
            CompletableFuture<Answer> two = send(http, balancer, "Accept-Language", "de");
            CompletableFuture<Answer> three = send(http, balancer, "Accept-Language", "de");
            CompletableFuture<Answer> four = send(http, balancer, "Accept-Language", "en");
            balancer.await("the requests wait", () -> cache.fetches().waiting() == 3);

            latch.countDown();

            assertThat(await(one).body()).isEqualTo("en");
            assertThat(await(two).body()).isEqualTo("de");
            assertThat(await(three).body()).isEqualTo("de");
            assertThat(await(four).body()).isEqualTo("en");
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsAreLimited(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache(CacheConfig.SHORTEST_MAX_WAIT, /* maxWaiting= */ 100);
        try (TestBackend backend = TestBackend.playing(after(response("slow", FRESH)), ok("fast", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CompletableFuture<Answer> slow = send(http, balancer);
            backend.nextRequest();

            assertThat(await(send(http, balancer)).body()).isEqualTo("fast");

            latch.countDown();
            assertThat(await(slow).body()).isEqualTo("slow");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNumberOfWaitingRequestsIsLimited(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache(Duration.ofMinutes(1), /* maxWaiting= */ 0);
        try (TestBackend backend = TestBackend.playing(after(response("slow", FRESH)), ok("fast", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CompletableFuture<Answer> slow = send(http, balancer);
            backend.nextRequest();

            assertThat(await(send(http, balancer)).body()).isEqualTo("fast");

            latch.countDown();
            assertThat(await(slow).body()).isEqualTo("slow");
        }
    }

    @Test
    void disconnectedClientsStopWaiting() throws Exception {
        CachePolicy cache = setup.cache();
        try (TestBackend backend = TestBackend.playing(after(response("hello", FRESH)));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CompletableFuture<Answer> first = send(HttpRequests.HTTP_1, balancer);
            backend.nextRequest();
            RawClient removed = balancer.client().send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
            balancer.await("a request waits", () -> cache.fetches().waiting() == 1);

            removed.reset();

            balancer.await("no request waits", () -> cache.fetches().waiting() == 0);
            latch.countDown();
            assertThat(await(first).body()).isEqualTo("hello");
        }
    }

    @Test
    void aRemovalDuringAFetchKeepsTheResponseOut() throws Exception {
        CachePolicy cache = setup.cache();
        try (TestBackend backend = TestBackend.playing(after(response("old", FRESH)), ok("new", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CompletableFuture<Answer> first = send(HttpRequests.HTTP_1, balancer);
            backend.nextRequest();

            cache.purge(Optional.of("http://a/a"), Optional.empty());
            latch.countDown();

            assertThat(await(first).body()).isEqualTo("old");
            assertThat(await(send(HttpRequests.HTTP_1, balancer)).body()).isEqualTo("new");
        }
    }
}
