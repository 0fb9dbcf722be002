package io.ballast.http.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.pool.PoolCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests background requests with both HTTP versions of backends. {@link TestBalancer#close} finds leaks. */
class BackgroundRequestTest {

    private static final int INTERNAL_ERROR = 2;
    private static final String TOO_LONG = "x".repeat(1001);

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void responseIsPassedOnAndConnectionReused(BackendProtocol protocol) throws Exception {
        try (BackgroundPeer backend = BackgroundPeer.ok(protocol, "hello");
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse first = RecordedResponse.send(balancer, RecordedResponse.GET);
            assertThat(first.result()).isEqualTo("end");
            RecordedResponse second = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(second.result()).isEqualTo("end");
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.head()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
            assertThat(second.body()).isEqualTo("hello");
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.REQUESTS)).isEqualTo(2);
            assertThat(balancer.count(BackendCounter.RESPONSES_2XX)).isEqualTo(2);
            assertThat(balancer.pool().counters().sum(PoolCounter.REQUESTS)).isEqualTo(2);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isZero();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void requestBodyIsSent(BackendProtocol protocol) throws Exception {
        Http2Script echo = Http2Script.serving((connection, request) -> connection.answer(request, request.body()));
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, Script.echo(), echo);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n";

            RecordedResponse response = new RecordedResponse().begin(balancer, head, "data", TestTimeout.LIMIT);

            assertThat(response.result()).isEqualTo("end");
            assertThat(response.body()).endsWith("data");
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void responseToHeadHasNoBody(BackendProtocol protocol) throws Exception {
        Script answer = Script.answer("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
        Http2Script answer2 = Http2Script.serving((connection, request) ->
                connection.head(request, /* ends= */ true, ":status", "200", "content-length", "5000"));
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, answer, answer2);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(response.result()).isEqualTo("end");
            assertThat(response.head()).containsIgnoringCase("content-length: 5000");
            assertThat(response.body()).isEmpty();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void notModifiedHasNoBody(BackendProtocol protocol) throws Exception {
        Script answer = Script.answer("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 5000\r\n\r\n");
        Http2Script answer2 = Http2Script.serving((connection, request) -> connection.head(
                request, /* ends= */ true, ":status", "304", "etag", "\"1\"", "content-length", "5000"));
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, answer, answer2);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("end");
            assertThat(response.status()).isEqualTo(304);
            assertThat(response.body()).isEmpty();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void informationalResponseIsSkipped(BackendProtocol protocol) throws Exception {
        Script answer = Script.answer("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na");
        Http2Script answer2 = Http2Script.serving((connection, request) ->
                connection.head(request, /* ends= */ false, ":status", "103").answer(request, "a"));
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, answer, answer2);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("end");
            assertThat(response.status()).isEqualTo(200);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void announcedTooLongBodyIsNotPassedOn(BackendProtocol protocol) throws Exception {
        Http2Script answer2 = Http2Script.serving((connection, request) -> connection
                .head(request, /* ends= */ false, ":status", "200", "content-length", "1001")
                .data(request, /* ends= */ true, TOO_LONG));
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, Script.ok(TOO_LONG), answer2);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("response_too_large");
            assertThat(response.head()).isEmpty();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void unannouncedTooLongBodyEndsRequest(BackendProtocol protocol) throws Exception {
        Script answer = Script.answerAndClose("HTTP/1.1 200 OK\r\n\r\n" + TOO_LONG);
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, answer, Http2Script.ok(TOO_LONG));
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("response_too_large");
            assertThat(response.status()).isEqualTo(200);
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void silentBackendIsTimeout(BackendProtocol protocol) throws Exception {
        try (BackgroundPeer backend = BackgroundPeer.silent(protocol);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response =
                    new RecordedResponse().begin(balancer, RecordedResponse.GET, "", Duration.ofMillis(100));

            assertThat(response.result()).isEqualTo("timeout");
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void resetsOfTheOnlyBackendAreFailure(BackendProtocol protocol) throws Exception {
        Http2Script reset2 = Http2Script.serving(
                (connection, request) -> connection.send(FrameBytes.reset(request.stream(), INTERNAL_ERROR)));
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, Script.answerAndReset(""), reset2);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("backend_failed");
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isPositive();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void requestWithBodyIsRetriedOnAnotherBackend(BackendProtocol protocol) throws Exception {
        Http2Script reset2 = Http2Script.serving(
                (connection, request) -> connection.send(FrameBytes.reset(request.stream(), INTERNAL_ERROR)));
        Http2Script echo = Http2Script.serving((connection, request) -> connection.answer(request, request.body()));
        try (BackgroundPeer bad = BackgroundPeer.start(protocol, Script.answerAndReset(""), reset2);
                BackgroundPeer good = BackgroundPeer.start(protocol, Script.echo(), echo);
                TestBalancer balancer = balancer(protocol)
                        .backend(bad.address())
                        .backend(good.address())
                        .start()) {
            String head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n";

            for (int i = 0; i < 2; i++) { // round-robin picks each backend once
                RecordedResponse response = new RecordedResponse().begin(balancer, head, "data", TestTimeout.LIMIT);

                assertThat(response.result()).isEqualTo("end");
                assertThat(response.body()).endsWith("data");
            }

            assertThat(balancer.count(BackendCounter.RETRIES)).isPositive();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void refusedConnectionIsFailure(BackendProtocol protocol) throws Exception {
        try (TestBalancer balancer =
                balancer(protocol).backend(ClosedPort.find()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("backend_failed");
            assertThat(balancer.connectErrors()).isNotEmpty();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void abortEndsRequestWithoutFurtherCalls(BackendProtocol protocol) throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        Script silent = connection -> {
            connection.readRequest();
            received.countDown();
            connection.awaitClose();
        };
        Http2Script silent2 = Http2Script.serving((connection, request) -> received.countDown());
        try (BackgroundPeer backend = BackgroundPeer.start(protocol, silent, silent2);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);
            balancer.await("the request came", () -> received.getCount() == 0);

            response.abort(balancer);
            response.abort(balancer);

            balancer.awaitQuietBackends();
            assertThat(response.isDone()).isFalse();
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void handlerMayAbort(BackendProtocol protocol) throws Exception {
        try (BackgroundPeer backend = BackgroundPeer.ok(protocol, "hello");
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            RecordedResponse atHead = new RecordedResponse().abortingAtHead();
            RecordedResponse atBody = new RecordedResponse().abortingAtBody();

            atHead.begin(balancer, RecordedResponse.GET, "", TestTimeout.LIMIT);
            atBody.begin(balancer, RecordedResponse.GET, "", TestTimeout.LIMIT);

            balancer.await("both were aborted", () -> atHead.isAborted() && atBody.isAborted());
            balancer.awaitQuietBackends();
            assertThat(atHead.wasCalledAfterAbort()).isFalse();
            assertThat(atBody.wasCalledAfterAbort()).isFalse();
            assertThat(RecordedResponse.send(balancer, RecordedResponse.GET).result())
                    .isEqualTo("end");
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void reloadThatRemovesBackendDoesNotEndRequest(BackendProtocol protocol) throws Exception {
        CountDownLatch reloaded = new CountDownLatch(1);
        Http2Script late2 = Http2Script.serving(
                (connection, request) -> connection.await(reloaded).answer(request, "late"));
        try (BackgroundPeer before = BackgroundPeer.start(protocol, Script.okAfter(reloaded, "late"), late2);
                BackgroundPeer after = BackgroundPeer.ok(protocol, "new");
                TestBalancer balancer =
                        balancer(protocol).backend(before.address()).start()) {
            RecordedResponse running = RecordedResponse.send(balancer, RecordedResponse.GET);
            balancer.await("the request was sent", () -> balancer.count(BackendCounter.REQUESTS) == 1);

            balancer.reload(balancer(protocol).backend(after.address()));
            RecordedResponse next = RecordedResponse.send(balancer, RecordedResponse.GET);
            assertThat(next.result()).isEqualTo("end");
            reloaded.countDown();

            assertThat(running.result()).isEqualTo("end");
            assertThat(running.body()).isEqualTo("late");
            assertThat(next.body()).isEqualTo("new");
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"HTTP1", "H2C"})
    void stopOfTheFrontendEndsRequest(BackendProtocol protocol) throws Exception {
        RecordedResponse running;
        try (BackgroundPeer backend = BackgroundPeer.silent(protocol);
                TestBalancer balancer =
                        balancer(protocol).backend(backend.address()).start()) {
            running = RecordedResponse.send(balancer, RecordedResponse.GET);

            balancer.frontend().close();

            assertThat(running.result()).isEqualTo("stopped");
            assertThat(RecordedResponse.send(balancer, RecordedResponse.GET).result())
                    .isEqualTo("refused");
        }
    }

    private static BalancerSetup balancer(BackendProtocol protocol) {
        return BalancerSetup.on(TransportKind.NIO).loops(1).protocol(protocol);
    }
}
