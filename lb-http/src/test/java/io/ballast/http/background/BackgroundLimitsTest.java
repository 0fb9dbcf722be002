package io.ballast.http.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.Connections;
import io.ballast.http.background.exchange.BackgroundExchanges;
import io.ballast.http.exchange.Listener;
import io.ballast.http.net.Worker;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limits of background requests, and behavior that only occurs with an HTTP/1.1 backend. */
class BackgroundLimitsTest {

    @Test
    void requestsBeyondLimitAreRefused() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = balancer().backend(backend).start()) {
            Worker worker = balancer.workers().all().get(0);
            Listener listener = BackgroundExchanges.listener((failed, reason) -> {}, /* shards= */ 1);
            BackgroundExchanges client = new BackgroundExchanges(
                    worker, (target, settings, fresh, exchange) -> null, listener, /* max= */ 2);

            List<RecordedResponse> all = List.of(begin(balancer, client), begin(balancer, client));
            RecordedResponse third = begin(balancer, client);
            all.get(0).abort(balancer);
            RecordedResponse fourth = begin(balancer, client);

            assertThat(third.result()).isEqualTo("refused");
            assertThat(fourth.isDone()).isFalse();
            assertThat(client.inFlight()).isEqualTo(2);
            worker.eventLoop().submit(client::close).get();
            assertThat(client.inFlight()).isZero();
            assertThat(fourth.result()).isEqualTo("stopped");
        }
    }

    private static RecordedResponse begin(TestBalancer balancer, BackgroundClient client) {
        Worker worker = balancer.workers().all().get(0);
        return new RecordedResponse()
                .begin(worker, client, balancer.pool(), RecordedResponse.GET, "", TestTimeout.LIMIT);
    }

    @ParameterizedTest(name = "{displayName} [{index}]")
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1\r\nHost: a\r\n",
                "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n"
            })
    void invalidHeadIsNotSent(String head) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = balancer().backend(backend).start()) {
            assertThat(RecordedResponse.send(balancer, head).result()).isEqualTo("invalid_request");
            assertThat(backend.connections()).isZero();
        }
    }

    @Test
    void unannouncedRequestBodyIsNotSent() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = balancer().backend(backend).start()) {
            RecordedResponse response =
                    new RecordedResponse().begin(balancer, RecordedResponse.GET, "data", TestTimeout.LIMIT);

            assertThat(response.result()).isEqualTo("invalid_request");
            assertThat(backend.connections()).isZero();
        }
    }

    @Test
    void poolWithoutUsableBackendIsFailure() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = balancer().backend(backend).start()) {
            balancer.goDown(0);

            assertThat(RecordedResponse.send(balancer, RecordedResponse.GET).result())
                    .isEqualTo("no_backend");
        }
    }

    @Test
    void abortedRequestLeavesQueueOfPool() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer()
                        .maxInFlight(1)
                        .queue(/* size= */ 1, TestTimeout.LIMIT)
                        .backend(backend)
                        .start()) {
            RecordedResponse first = RecordedResponse.send(balancer, RecordedResponse.GET);
            RecordedResponse waiting = RecordedResponse.send(balancer, RecordedResponse.GET);
            assertThat(balancer.pool().waitingRequests()).isEqualTo(1);
            RecordedResponse refused = RecordedResponse.send(balancer, RecordedResponse.GET);
            assertThat(refused.result()).isEqualTo("no_backend");

            waiting.abort(balancer);

            assertThat(balancer.pool().waitingRequests()).isZero();
            first.abort(balancer);
            balancer.awaitQuietBackends();
            assertThat(waiting.isDone()).isFalse();
        }
    }

    @Test
    void chunkedCodingIsRemoved() throws Exception {
        CountDownLatch halfWay = new CountDownLatch(1);
        Script chunked = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r");
            connection.await(halfWay).send("\nde\r\n0\r\nX: y\r\n\r\n");
        };
        try (TestBackend backend = TestBackend.playing(chunked);
                TestBalancer balancer = balancer().backend(backend).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);
            balancer.await("the first chunk came", () -> response.body().equals("abc"));
            halfWay.countDown();

            assertThat(response.result()).isEqualTo("end");
            assertThat(response.body()).isEqualTo("abcde");
        }
    }

    @Test
    void tooLongChunkedBodyEndsRequest() throws Exception {
        String chunk = "1f4\r\n" + "x".repeat(500) + "\r\n";
        Script chunked = Script.answer(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk + "1\r\ny\r\n0\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(chunked);
                TestBalancer balancer = balancer().backend(backend).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("response_too_large");
            assertThat(response.body()).hasSize(1000).doesNotContain("y");
        }
    }

    @Test
    void cutResponseIsFailure() throws Exception {
        Script cut = Script.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        try (TestBackend backend = TestBackend.playing(cut);
                TestBalancer balancer = balancer().backend(backend).start()) {
            RecordedResponse response = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(response.result()).isEqualTo("backend_failed");
            assertThat(response.body()).isEqualTo("abc");
        }
    }

    @Test
    void abortedPipelinedRequestDoesNotAffectTheNext() throws Exception {
        Script two = connection -> {
            connection.readRequest();
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na");
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb");
        };
        try (TestBackend backend = TestBackend.playing(two);
                TestBalancer balancer = balancer()
                        .connections(new Connections().pipelining(2))
                        .backend(backend)
                        .start()) {
            RecordedResponse first = new RecordedResponse()
                    .abortingAtHead()
                    .begin(balancer, RecordedResponse.GET, "", TestTimeout.LIMIT);
            RecordedResponse second = RecordedResponse.send(balancer, RecordedResponse.GET);

            assertThat(second.result()).isEqualTo("end");
            assertThat(second.body()).isEqualTo("b");
            assertThat(first.wasCalledAfterAbort()).isFalse();
        }
    }

    private static BalancerSetup balancer() {
        return BalancerSetup.on(TransportKind.NIO).loops(1);
    }
}
