package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.ListenerProtocol;
import io.ballast.core.config.TransportKind;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Patience;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.testing.EachTransport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How a session ends whose one side has said all already, and the other was told. */
class TcpEndTest {

    @EachTransport
    void endOfTheClientAfterThatOfTheBackendIsNoReset(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.accepting(finishes(reset));
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readToEnd()).isEqualTo("bye");

            client.finishSending();

            assertThat(ended(reset)).isFalse();
            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(balancer.count(Failure.CLIENT_GONE)).isZero();
        }
    }

    @EachTransport
    void endOfTheBackendAfterThatOfTheClientIsNoReset(TransportKind transport) throws Exception {
        CompletableFuture<Void> told = new CompletableFuture<>();
        Script endsSecond = talk -> {
            talk.readToEnd();
            told.complete(null);
            talk.close();
        };
        try (TestBackend backend = TestBackend.accepting(endsSecond);
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.finishSending();

            told.get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
        }
    }

    @EachTransport
    void resetOfTheClientAfterTheEndOfTheBackendIsPassedOn(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.accepting(finishes(reset));
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readToEnd()).isEqualTo("bye");

            client.reset();

            assertThat(ended(reset)).isTrue();
            balancer.await("it is counted", () -> balancer.count(Failure.CLIENT_GONE) == 1);
        }
    }

    /**
     * As PostgreSQL does when its client leaves over TLS: it answers, reads that the client leaves, and closes before it has
     * read the client's goodbye.
     */
    @EachTransport
    void resetOfTheBackendAfterTheEndOfTheClientIsNoError(TransportKind transport) throws Exception {
        Script leavesUnread = talk -> {
            talk.readExactly(5);
            talk.send("answer");
            talk.readToEnd();
            talk.reset();
        };
        try (TestBackend backend = TestBackend.accepting(leavesUnread);
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send("query").readExactly(6)).isEqualTo("answer");

            client.send("leave").finishSending();

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            balancer.awaitQuiet();
            assertNoError(balancer);
        }
    }

    /** As Redis does after {@code QUIT}. */
    @EachTransport
    void endOfBothAfterAnAnswerIsNoError(TransportKind transport) throws Exception {
        Script answersAndCloses = talk -> {
            talk.readExactly(6);
            talk.send("+OK\r\n").close();
        };
        try (TestBackend backend = TestBackend.accepting(answersAndCloses);
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("QUIT\r\n");

            assertThat(client.readToEnd()).isEqualTo("+OK\r\n");
            client.close();
            balancer.awaitQuiet();
            assertNoError(balancer);
        }
    }

    /** Without its client's end, it is unknown whether the client had all that it wanted. */
    @EachTransport
    void resetOfTheBackendInTheMiddleIsAnError(TransportKind transport) throws Exception {
        Script crashes = talk -> {
            talk.readExactly(5);
            talk.send("answer").reset();
        };
        try (TestBackend backend = TestBackend.accepting(crashes);
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("query");

            assertThat(client.readToEnd()).isEqualTo("answer");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            balancer.awaitQuiet();
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isEqualTo(1);
        }
    }

    private static void assertNoError(TestBalancer balancer) {
        assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
        assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
        assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
    }

    /** What the client would have said is missing then. */
    @EachTransport
    void stoppingAfterTheEndOfTheBackendResetsIt(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.accepting(finishes(reset));
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readToEnd()).isEqualTo("bye");

            balancer.frontend().close();

            assertThat(ended(reset)).isTrue();
        }
    }

    /** Says {@code bye} and no more; then tells whether what the other side says ends in a reset. */
    private static Script finishes(CompletableFuture<Boolean> reset) {
        return talk -> {
            talk.send("bye").finishSending();
            reset.complete(talk.endsInReset());
        };
    }

    private static boolean ended(CompletableFuture<Boolean> reset) throws Exception {
        return reset.get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static BalancerSetup tcp(TransportKind transport) {
        return BalancerSetup.on(transport).protocol(ListenerProtocol.TCP);
    }
}
