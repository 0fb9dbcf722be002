package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TcpFixture;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.net.BindException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Tests the end of a session after one side has half-closed. */
class TcpEndTest {

    @EachTransport
    void clientCloseAfterBackendCloseIsNoReset(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TcpFixture tcp = start(transport, finishes(reset))) {
            assertThat(tcp.client().readToEnd()).isEqualTo("bye");

            tcp.client().finishSending();

            assertThat(ended(reset)).isFalse();
            tcp.balancer().awaitQuiet();
            assertThat(tcp.balancer().count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
            assertThat(tcp.balancer().count(ListenerCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
            assertThat(tcp.balancer().count(ListenerCounter.ERRORS)).isZero();
            assertThat(tcp.balancer().count(Failure.CLIENT_GONE)).isZero();
        }
    }

    @EachTransport
    void backendCloseAfterClientCloseIsNoReset(TransportKind transport) throws Exception {
        CompletableFuture<Void> clientClosed = new CompletableFuture<>();
        Script endsSecond = connection -> {
            connection.readToEnd();
            clientClosed.complete(null);
            connection.close();
        };
        try (TcpFixture tcp = start(transport, endsSecond)) {
            tcp.client().finishSending();

            clientClosed.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(tcp.client().awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            tcp.balancer().awaitQuiet();
            assertThat(tcp.balancer().count(ListenerCounter.ERRORS)).isZero();
            assertThat(tcp.balancer().count(Failure.RESPONSE_CUT)).isZero();
        }
    }

    @EachTransport
    void clientResetAfterBackendCloseIsForwarded(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TcpFixture tcp = start(transport, finishes(reset))) {
            assertThat(tcp.client().readToEnd()).isEqualTo("bye");

            tcp.client().reset();

            assertThat(ended(reset)).isTrue();
            tcp.balancer().await("it is counted", () -> tcp.balancer().count(Failure.CLIENT_GONE) == 1);
        }
    }

    /**
     * Simulates PostgreSQL when a TLS client disconnects: the server closes the connection before it has read the
     * client's close_notify.
     */
    @EachTransport
    void backendResetAfterClientCloseIsNoError(TransportKind transport) throws Exception {
        Script leavesUnread = connection -> {
            connection.readExactly(5);
            connection.send("answer");
            connection.readToEnd();
            connection.reset();
        };
        try (TcpFixture tcp = start(transport, leavesUnread)) {
            assertThat(tcp.client().send("query").readExactly(6)).isEqualTo("answer");

            tcp.client().send("leave").finishSending();

            assertThat(tcp.client().awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            tcp.balancer().awaitQuiet();
            assertNoError(tcp.balancer());
        }
    }

    /** Simulates Redis, which closes the connection after its response to {@code QUIT}. */
    @EachTransport
    void closeOfBothAfterResponseIsNoError(TransportKind transport) throws Exception {
        Script answersAndCloses = connection -> {
            connection.readExactly(6);
            connection.send("+OK\r\n").close();
        };
        try (TcpFixture tcp = start(transport, answersAndCloses)) {
            tcp.client().send("QUIT\r\n");

            assertThat(tcp.client().readToEnd()).isEqualTo("+OK\r\n");
            tcp.client().close();
            tcp.balancer().awaitQuiet();
            assertNoError(tcp.balancer());
        }
    }

    /** The client has not sent a FIN, so it may have missed data. */
    @EachTransport
    void backendResetDuringSessionIsError(TransportKind transport) throws Exception {
        Script crashes = connection -> {
            connection.readExactly(5);
            connection.send("answer").reset();
        };
        try (TcpFixture tcp = start(transport, crashes)) {
            tcp.client().send("query");

            assertThat(tcp.client().readToEnd()).isEqualTo("answer");
            assertThat(tcp.client().awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            tcp.balancer().awaitQuiet();
            assertThat(tcp.balancer().count(Failure.RESPONSE_CUT)).isEqualTo(1);
            assertThat(tcp.balancer().count(BackendCounter.FAILED_RESET)).isEqualTo(1);
            assertThat(tcp.balancer().count(ListenerCounter.ERRORS)).isEqualTo(1);
        }
    }

    private static void assertNoError(TestBalancer balancer) {
        assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
        assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
        assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
    }

    /** The backend does not get the remaining data from the client, so its connection must be reset. */
    @EachTransport
    void stopAfterBackendCloseResetsSession(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TcpFixture tcp = start(transport, finishes(reset))) {
            assertThat(tcp.client().readToEnd()).isEqualTo("bye");

            tcp.balancer().frontend().close();

            assertThat(ended(reset)).isTrue();
        }
    }

    /** Sends {@code bye} and a FIN; reports whether the other side resets the connection. */
    private static Script finishes(CompletableFuture<Boolean> reset) {
        return connection -> {
            connection.send("bye").finishSending();
            reset.complete(connection.endsInReset());
        };
    }

    private static boolean ended(CompletableFuture<Boolean> reset) throws Exception {
        return reset.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static TcpFixture start(TransportKind transport, Script script) throws BindException {
        return TcpFixture.start(BalancerSetup.on(transport).protocol(ListenerProtocol.TCP), script);
    }
}
