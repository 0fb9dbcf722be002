package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import java.net.BindException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests backends that send an idle timeout in a {@code Keep-Alive} header. */
class KeepAliveHintTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(10);

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void connectionClosesBeforeBackendTimeout(int pipelining) throws Exception {
        try (TestBackend backend = TestBackend.playing(answer("timeout=1, max=100"));
                TestBalancer balancer = balancer(backend, pipelining);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("ok");
            assertThat(client.send(GET).read().body()).isEqualTo("ok");

            backend.awaitConnectionEnd(); // the balancer closes the connection; the backend would wait for a request
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.REUSES)).isEqualTo(1);
            assertThat(client.send(GET).read().body()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void zeroTimeoutServesOneRequest(int pipelining) throws Exception {
        try (TestBackend backend = TestBackend.playing(answer("timeout=0"));
                TestBalancer balancer = balancer(backend, pipelining);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
                backend.awaitConnectionEnd();
            }
            assertThat(backend.connections()).isEqualTo(3);
        }
    }

    /** Malformed values and other parameters are ignored. */
    @ParameterizedTest
    @ValueSource(strings = {"timeout=, max=1", "xtimeout=0", "timeout=60", "timeout", "max=timeout=0"})
    void connectionIsKeptWithLongHint(String hint) throws Exception {
        try (TestBackend backend = TestBackend.playing(answer(hint));
                TestBalancer balancer = balancer(backend, /* pipelining= */ 1);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    private static Script answer(String hint) {
        return Script.answer(
                "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: " + hint + "\r\nContent-Length: 2\r\n\r\nok");
    }

    private static TestBalancer balancer(TestBackend backend, int pipelining) throws BindException {
        return BalancerSetup.on(TransportKind.NIO)
                .loops(1)
                .connections(new Connections().idleTimeout(LONG).pipelining(pipelining))
                .backend(backend)
                .start();
    }
}
