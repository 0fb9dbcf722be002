package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.RetryBudgetConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryMethods;
import io.ballast.core.config.RetryOn;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Retries;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.net.BindException;
import java.time.Duration;
import java.util.List;

/** Tests which failures and responses cause a retry, and which requests may be retried. */
class RetryConditionsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String PUT = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";
    private static final RetryOn SERVER_ERRORS = new RetryOn(true, true, false, List.of(new StatusRange(500, 599)));

    @EachTransport
    void listedStatusIsRetriedAndConnectionKept(TransportKind transport) throws Exception {
        try (TestBackend ill = TestBackend.playing(unavailable("ill"));
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = balancer(transport, Retries.on(SERVER_ERRORS), ill, well);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("well");
            }

            long declined = balancer.count(BackendCounter.RESPONSES_5XX);
            assertThat(declined).isPositive();
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(declined);
            assertThat(balancer.count(ListenerCounter.RESPONSES_5XX)).isZero();
            assertThat(ill.connections()).isEqualTo(1);
            assertThat(balancer.backend(0).responseTime().micros(System.nanoTime()))
                    .as("it counts against the backend")
                    .isGreaterThan(100_000);
        }
    }

    @EachTransport
    void endlessDeclinedResponseIsAbandoned(TransportKind transport) throws Exception {
        Script endless = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n");
            while (connection.isOpen()) {
                connection.send("400\r\n" + "x".repeat(0x400) + "\r\n");
            }
        };
        try (TestBackend ill = TestBackend.playing(endless);
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = balancer(transport, Retries.on(SERVER_ERRORS), ill, well);
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().body()).isEqualTo("well");

            ill.awaitConnectionEnd();
        }
    }

    @EachTransport
    void lastResponseIsForwarded(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(unavailable("first"));
                TestBackend second = TestBackend.playing(unavailable("second"));
                TestBackend third = TestBackend.playing(Script.ok("third"));
                TestBalancer balancer = balancer(transport, Retries.on(SERVER_ERRORS), first, second, third);
                RawClient client = balancer.client()) {

            RawResponse answer = client.send(GET).read();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("second");
            assertThat(answer.header("X-From")).isEqualTo("second");
            assertThat(third.connections()).isZero();
        }
    }

    @EachTransport
    void responseIsForwardedWithoutOtherBackend(TransportKind transport) throws Exception {
        try (TestBackend only = TestBackend.playing(unavailable("only"));
                TestBalancer balancer = balancer(transport, Retries.on(SERVER_ERRORS), only);
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().body()).isEqualTo("only");
            assertThat(only.requests()).hasSize(1);
            assertThat(balancer.count(BackendCounter.RETRIES)).isZero();
        }
    }

    @EachTransport
    void responseTimeoutRetriesOtherBackend(TransportKind transport) throws Exception {
        RetryConfig config = new RetryConfig(
                new RetryOn(true, true, true, List.of()),
                RetryMethods.IDEMPOTENT,
                2,
                Duration.ofMillis(150),
                RetryBudgetConfig.DEFAULT,
                0);
        try (TestBackend silent = TestBackend.playing(Script.silence());
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = balancer(transport, config, silent, well);
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().body()).isEqualTo("well");

            silent.awaitConnectionEnd();
            assertThat(balancer.count(BackendCounter.FAILED_RESPONSE_TIMEOUT)).isEqualTo(1);
            assertThat(balancer.count(Failure.RESPONSE_TIMEOUT)).isZero();
        }
    }

    @EachTransport
    void bufferedBodyIsRetried(TransportKind transport) throws Exception {
        String chunked = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n";
        String large = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\n\r\n" + "x".repeat(16_384);
        for (String request : List.of(PUT, chunked, large)) {
            try (TestBackend failing = TestBackend.playing(Script.answerAndReset(""));
                    TestBackend well = TestBackend.playing(Script.echo());
                    TestBalancer balancer = balancer(transport, RetryConfig.DEFAULT, failing, well);
                    RawClient client = balancer.client()) {

                assertThat(client.send(request).read().body().equals(request)).isTrue();
                assertThat(failing.requests()).hasSize(1);
            }
        }
    }

    @EachTransport
    void partlySentBodyIsRetried(TransportKind transport) throws Exception {
        Script breaking = connection -> {
            connection.readHead();
            connection.reset();
        };
        String head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n";
        try (TestBackend failing = TestBackend.playing(breaking);
                TestBackend well = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(transport, RetryConfig.DEFAULT, failing, well);
                RawClient client = balancer.client()) {
            client.send(head + "half");
            failing.awaitConnectionEnd();
            balancer.await("the half is with the other", () -> well.bytes() == head.length() + 4);

            assertThat(client.send("rest").read().body()).isEqualTo(head + "halfrest");
        }
    }

    @EachTransport
    void bodyBeyondBufferIsNotRetried(TransportKind transport) throws Exception {
        String request = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n\r\n" + "x".repeat(16_385);
        try (TestBackend failing = TestBackend.playing(Script.answerAndReset(""));
                TestBackend well = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(transport, RetryConfig.DEFAULT, failing, well);
                RawClient client = balancer.client()) {

            assertThat(client.send(request).read().status()).isEqualTo(502);
            assertThat(well.connections()).isZero();
        }
    }

    @EachTransport
    void onlyRetryableMethodsAreRetried(TransportKind transport) throws Exception {
        assertThat(afterReset(transport, RetryMethods.IDEMPOTENT, POST)).isEqualTo(502);
        assertThat(afterReset(transport, RetryMethods.ALL, POST)).isEqualTo(200);
        assertThat(afterReset(transport, RetryMethods.of(List.of("POST")), POST))
                .isEqualTo(200);
        assertThat(afterReset(transport, RetryMethods.of(List.of("POST")), PUT)).isEqualTo(502);
    }

    private static int afterReset(TransportKind transport, RetryMethods methods, String request) throws Exception {
        RetryConfig usual = RetryConfig.DEFAULT;
        RetryConfig config =
                new RetryConfig(usual.on(), methods, 2, usual.perTryTimeout(), usual.budget(), usual.bodyBufferBytes());
        try (TestBackend failing = TestBackend.playing(Script.answerAndReset(""));
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = balancer(transport, config, failing, well);
                RawClient client = balancer.client()) {
            return client.send(request).read().status();
        }
    }

    @EachTransport
    void exhaustedBudgetPreventsRetry(TransportKind transport) throws Exception {
        RetryConfig usual = RetryConfig.DEFAULT;
        RetryConfig config =
                new RetryConfig(usual.on(), usual.methods(), 2, Duration.ZERO, new RetryBudgetConfig(50, 0), 0);
        try (TestBackend failing = TestBackend.playing(Script.answerAndReset(""));
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(failing)
                        .backend(well)
                        .backend(ClosedPort.find())
                        .loops(1)
                        .retry(config)
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().status())
                    .as("half a retry is paid")
                    .isEqualTo(502);
            assertThat(balancer.pool().counters().sum(PoolCounter.RETRIES_REFUSED))
                    .isEqualTo(1);
            assertThat(client.send(GET).read().status()).isEqualTo(200);
            assertThat(client.send(GET).read().status())
                    .as("refused, then reset: one retry is paid")
                    .isEqualTo(200);
            assertThat(balancer.pool().counters().sum(PoolCounter.RETRIES_REFUSED))
                    .isEqualTo(1);
            assertThat(balancer.count(Failure.CONNECT_REFUSED)).isZero();
        }
    }

    @EachTransport
    void noRetryWithoutCondition(TransportKind transport) throws Exception {
        RetryOn never = new RetryOn(false, false, false, List.of());
        try (TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(well)
                        .loops(1)
                        .retry(Retries.on(never))
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().status()).isEqualTo(502);
            assertThat(client.send(GET).read().body()).isEqualTo("well");
        }
    }

    @EachTransport
    void noRetryAfterInformationalResponse(TransportKind transport) throws Exception {
        Script hinting = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 103 Early Hints\r\n\r\n");
            connection.send("HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nno");
        };
        try (TestBackend ill = TestBackend.playing(hinting);
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = balancer(transport, Retries.on(SERVER_ERRORS), ill, well);
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).readHead()).startsWith("HTTP/1.1 103 ");
            assertThat(client.read().body()).isEqualTo("no");
            assertThat(well.connections()).isZero();
        }
    }

    @EachTransport
    void listedStatusOfPipelinedRequestIsRetried(TransportKind transport) throws Exception {
        try (TestBackend ill = TestBackend.playing(unavailable("ill"));
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ill)
                        .backend(well)
                        .loops(1)
                        .connections(new Connections().pipelining(4))
                        .retry(Retries.on(SERVER_ERRORS))
                        .start();
                RawClient client = balancer.client();
                RawClient other = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                client.send(GET);
                other.send(GET);
                assertThat(client.read().body()).isEqualTo("well");
                assertThat(other.read().body()).isEqualTo("well");
            }

            assertThat(balancer.count(ListenerCounter.RESPONSES_5XX)).isZero();
            assertThat(ill.connections()).isEqualTo(1);
        }
    }

    private static Script unavailable(String who) {
        return Script.answer(
                "HTTP/1.1 503 No\r\nX-From: " + who + "\r\nContent-Length: " + who.length() + "\r\n\r\n" + who);
    }

    private static TestBalancer balancer(TransportKind transport, RetryConfig retry, TestBackend... backends)
            throws BindException {
        BalancerSetup setup = BalancerSetup.on(transport).loops(1).retry(retry);
        for (TestBackend backend : backends) {
            setup.backend(backend);
        }
        return setup.start();
    }
}
