package io.ballast.policy.cache;

import static io.ballast.policy.cache.CacheSetup.FRESH;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.TestPolicies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that each request that waits for a fetch gets the response at its own speed, and that a long response is sent
 * to the waiting requests while it is still being received.
 */
class CacheStreamTest {

    private static final int CLIENTS = 40;
    private static final int MIB = 1024 * 1024;
    /**
     * A body that is longer than the buffers of all sockets together, so that the response stops if the client does not
     * read.
     */
    private static final String LARGE = "0123456789abcdef".repeat(MIB / 2);

    private static final String FIRST = "a".repeat(10_000);
    private static final String SECOND = "b".repeat(CachePolicy.SHARED_BYTES);
    private static final int LENGTH = FIRST.length() + SECOND.length();
    private static final String HEAD = "HTTP/1.1 200 OK\r\n" + FRESH + "\r\n";

    private final CacheSetup setup = new CacheSetup();
    private final CachePolicy cache = setup.cache(CacheConfig.ofMemory(128L * MIB));
    private final CountDownLatch latch = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
        setup.close();
    }

    private static String chunk(String data) {
        return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
    }

    private static Script whole(String body) {
        return Script.answer(HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Sends the first part of a body, and the second one when the test allows it. */
    private Script inParts(String... lines) {
        return connection -> {
            connection.readRequest();
            String more = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
            connection.send(HEAD + more + "Content-Length: " + LENGTH + "\r\n\r\n" + FIRST);
            connection.await(latch).send(SECOND);
        };
    }

    private Script inChunks() {
        return connection -> {
            connection.readRequest();
            connection.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunk(FIRST));
            connection.await(latch).send(chunk(SECOND) + "0\r\n\r\n");
        };
    }

    private long count(CacheOutcome outcome) {
        return CacheSetup.count(cache, outcome);
    }

    private void assertOneFetch(TestBalancer balancer, TestBackend backend) {
        balancer.await("the response is stored", () -> count(CacheOutcome.STORED) == 1);
        assertThat(backend.requests()).hasSize(1);
        assertThat(cache.fetches().running()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aSlowClientDoesNotDelayOthers(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(whole(LARGE));
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient slow = ReadingClient.start(http, balancer)) {
            slow.read(1);

            try (ReadingClient other = ReadingClient.start(HttpRequests.HTTP_1, balancer);
                    ReadingClient another = ReadingClient.start(HttpRequests.HTTP_2, balancer)) {
                assertThat(other.readRest()).isEqualTo(LARGE);
                assertThat(another.readRest()).isEqualTo(LARGE);
            }
            assertOneFetch(balancer, backend);
            assertThat(slow.readRest()).isEqualTo(LARGE.substring(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlowClientDoesNotDelayOthersIfTheLengthIsUnknown(HttpRequests http) throws Exception {
        String chunks = HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunk(LARGE);
        Script script = connection -> {
            connection.readRequest();
            connection.send(chunks);
            connection.await(latch).send("0\r\n\r\n");
        };
        try (TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient slow = ReadingClient.start(http, balancer)) {
            slow.read(1);
            try (ReadingClient other = ReadingClient.start(HttpRequests.HTTP_1, balancer)) {
                balancer.await("the request waits", () -> cache.fetches().waiting() == 1);

                latch.countDown();

                assertThat(other.readRest()).isEqualTo(LARGE);
            }
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void othersGetTheBodyWhileItIsReceived(HttpRequests http) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Script script = connection -> {
            connection.readRequest();
            connection.await(begun);
            connection.send(HEAD + "Content-Length: " + LENGTH + "\r\n\r\n" + FIRST);
            connection.await(latch).send(SECOND);
        };
        try (TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            backend.nextRequest();
            try (ReadingClient waiting = ReadingClient.start(http, balancer)) {
                balancer.await("the request waits", () -> cache.fetches().waiting() == 1);

                begun.countDown();

                assertThat(waiting.read(FIRST.length())).isEqualTo(FIRST);
                assertThat(first.read(FIRST.length())).isEqualTo(FIRST);
                try (ReadingClient later = ReadingClient.start(http, balancer)) {
                    assertThat(later.read(FIRST.length())).isEqualTo(FIRST);
                    latch.countDown();
                    assertThat(later.readRest()).isEqualTo(SECOND);
                }
                assertThat(waiting.readRest()).isEqualTo(SECOND);
                assertThat(first.readRest()).isEqualTo(SECOND);
            }
            assertOneFetch(balancer, backend);
            assertThat(count(CacheOutcome.HIT)).isEqualTo(2);
        }
    }

    /** Tests a body of many small parts: readers on both event loops wait for each part. */
    @ParameterizedTest
    @EnumSource
    void manyClientsShareOneFetch(HttpRequests http) throws Exception {
        String body = LARGE.substring(0, 300_000);
        int part = 1000;
        Script script = connection -> {
            connection.readRequest();
            connection.send(HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body.substring(0, part));
            connection.await(latch);
            for (int at = part; at < body.length(); at += part) {
                connection.send(body.substring(at, at + part));
            }
        };
        try (TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(part);
            List<CompletableFuture<String>> bodies = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                bodies.add(CompletableFuture.supplyAsync(
                        () -> http.get(balancer, "/a").body(), threads));
            }
            balancer.await("all read", () -> balancer.count(ListenerCounter.REQUESTS) == CLIENTS + 1);

            latch.countDown();

            for (CompletableFuture<String> other : bodies) {
                assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(body);
            }
            assertThat(first.readRest()).isEqualTo(body.substring(part));
            assertOneFetch(balancer, backend);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFetchContinuesWithoutItsClient(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(inParts());
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(FIRST.length());
            try (ReadingClient other = ReadingClient.start(http, balancer)) {
                other.read(FIRST.length());

                first.abort();
                balancer.await(
                        "the first request has ended", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
                latch.countDown();

                assertThat(other.readRest()).isEqualTo(SECOND);
            }
            assertOneFetch(balancer, backend);
            assertThat(http.get(balancer, "/a").body()).isEqualTo(FIRST + SECOND);
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFetchContinuesForWaitingRequests(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(inChunks());
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(1);
            try (ReadingClient other = ReadingClient.start(http, balancer)) {
                balancer.await("the request waits", () -> cache.fetches().waiting() == 1);

                first.abort();
                balancer.await(
                        "the first request has ended", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
                latch.countDown();

                assertThat(other.readRest()).isEqualTo(FIRST + SECOND);
            }
            assertOneFetch(balancer, backend);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFetchEndsWithItsLastClient(HttpRequests http) throws Exception {
        Script script = connection -> {
            connection.readRequest();
            connection.send(HEAD + "Content-Length: " + LENGTH + "\r\n\r\n" + FIRST);
            connection.await(latch).send("b");
            connection.awaitClose();
            closed.countDown();
        };
        try (TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(FIRST.length());
            try (ReadingClient other = ReadingClient.start(http, balancer)) {
                other.read(FIRST.length());
                first.abort();
                other.abort();
                balancer.await(
                        "both requests have ended", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 2);

                latch.countDown();

                balancer.await("the fetch ends", () -> cache.fetches().running() == 0);
            }
            balancer.await("the connection closes", () -> closed.getCount() == 0);
            assertThat(cache.store().usedBytes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void allClientsNoticeABrokenBody(HttpRequests http) throws Exception {
        Script broken = connection -> {
            connection.readRequest();
            connection.send(HEAD + "Content-Length: " + LENGTH + "\r\n\r\n" + FIRST);
            connection.await(latch).close();
        };
        try (TestBackend backend = TestBackend.playing(broken, whole("new"));
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(FIRST.length());
            try (ReadingClient other = ReadingClient.start(http, balancer)) {
                other.read(FIRST.length());

                latch.countDown();

                assertThat(other.isCut()).isTrue();
                assertThat(first.isCut()).isTrue();
            }
            balancer.await("the fetch ends", () -> cache.fetches().running() == 0);
            assertThat(http.get(balancer, "/a").body()).isEqualTo("new");
        }
    }

    /**
     * Tests that the whole body is passed on although the cache has no room for it. The other requests go to the
     * backend.
     */
    @ParameterizedTest
    @EnumSource
    void aBodyThatIsTooLongIsPassedOn(HttpRequests http) throws Exception {
        String body = LARGE.substring(0, MIB);
        Script chunked = connection -> {
            connection.readRequest();
            connection.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunk("c"));
            connection.await(latch).send(chunk(body) + "0\r\n\r\n");
        };
        CachePolicy small = setup.cache();
        try (TestBackend backend = TestBackend.playing(chunked, whole("other"));
                TestBalancer balancer = TestPolicies.start(backend, small);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(1);
            try (ReadingClient other = ReadingClient.start(http, balancer)) {
                balancer.await("the request waits", () -> small.fetches().waiting() == 1);

                latch.countDown();

                assertThat(other.readRest()).isEqualTo("other");
            }
            assertThat(first.readRest()).contains(body.substring(0, 1000)).hasSizeGreaterThanOrEqualTo(body.length());
            balancer.await("the memory is free", () -> small.store().usedBytes() < 5000);
        }
    }

    /**
     * Tests that the memory of a whole body is reserved before its first byte arrives, so that readers get the whole
     * body.
     */
    @Test
    void withoutMemoryOthersGoToTheBackend() throws Exception {
        int length = (int) CacheSetup.MEMORY / 8;
        Script begun = connection -> {
            connection.readRequest();
            connection.send(HEAD + "Content-Length: " + length + "\r\n\r\nx");
            connection.await(latch).send("x".repeat(length - 1));
        };
        CachePolicy small = setup.cache();
        try (TestBackend backend = TestBackend.playing(begun);
                TestBalancer balancer = TestPolicies.start(backend, small)) {
            ReadingClient[] clients = new ReadingClient[9];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = ReadingClient.start(HttpRequests.HTTP_1, balancer, "X-Forwarded-Host", "host" + i);
                clients[i].read(1);
            }
            assertThat(small.store().usedBytes()).isGreaterThan(7L * length);

            try (ReadingClient other =
                    ReadingClient.start(HttpRequests.HTTP_1, balancer, "X-Forwarded-Host", "host8")) {
                other.read(1);
                assertThat(backend.requests()).hasSize(clients.length + 1);
                latch.countDown();
                assertThat(other.readRest()).hasSize(length - 1);
            }
            for (ReadingClient client : clients) {
                assertThat(client.readRest()).hasSize(length - 1);
                client.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRemovalSeparatesLaterRequests(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(inParts(), whole("new"));
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(FIRST.length());

            cache.purge(Optional.of("http://a/a"), Optional.empty());

            assertThat(http.get(balancer, "/a").body()).isEqualTo("new");
            latch.countDown();
            assertThat(first.readRest()).isEqualTo(SECOND);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherVariantIsFetchedBesides(HttpRequests http) throws Exception {
        Script german = Script.answer(HEAD + "Vary: Accept-Language\r\nContent-Length: 2\r\n\r\nde");
        try (TestBackend backend = TestBackend.playing(inParts("Vary: Accept-Language"), german);
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer, "accept-language", "en")) {
            first.read(FIRST.length());

            assertThat(http.get(balancer, "/a", "accept-language", "de").body()).isEqualTo("de");
            assertThat(http.get(balancer, "/a", "accept-language", "de").body()).isEqualTo("de");

            try (ReadingClient english = ReadingClient.start(http, balancer, "accept-language", "en")) {
                english.read(FIRST.length());
                latch.countDown();
                assertThat(english.readRest()).isEqualTo(SECOND);
            }
            assertThat(first.readRest()).isEqualTo(SECOND);
            assertThat(backend.requests()).hasSize(2);
        }
    }

    /**
     * Tests that a response that must be validated before each use is only sent to requests that have waited for its
     * head.
     */
    @ParameterizedTest
    @EnumSource
    void aResponseThatIsNotFreshIsNotForLaterRequests(HttpRequests http) throws Exception {
        Script validated = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nETag: \"1\"\r\nContent-Length: " + LENGTH
                    + "\r\n\r\n" + FIRST);
            connection.await(latch).send(SECOND);
        };
        try (TestBackend backend = TestBackend.playing(validated, whole("new"));
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient first = ReadingClient.start(http, balancer)) {
            first.read(FIRST.length());

            assertThat(http.get(balancer, "/a").body()).isEqualTo("new");

            latch.countDown();
            assertThat(first.readRest()).isEqualTo(SECOND);
        }
    }
}
