package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.ScarceChannel;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.listen.FileDescriptorReserve;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests TCP sessions while no file descriptor is free for new backend connections. */
class TcpDescriptorTest {

    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int CLIENTS = 8;

    /** Ends the shortage of file descriptors, so that it does not affect other tests in this process. */
    @AfterEach
    void recover() {
        FileDescriptorReserve.ofProcess().hasRecovered();
    }

    @Test
    void sessionsGetFreedDescriptorsInOrderOfArrival() throws Exception {
        ScarceChannel.allow(1);
        try (TestBackend backend = TestBackend.accepting(
                        connection -> connection.send("hi").echo());
                TestBalancer balancer = tcp(backend, LONG)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int inFlight = i + 1;
                clients.add(balancer.client().send(Integer.toString(i)));
                balancer.await(
                        "the session to begin",
                        () -> balancer.backend(0).inFlight().count() == inFlight);
            }
            int number = 0;
            for (RawClient client : clients) {
                assertThat(client.readExactly(3)).isEqualTo("hi" + number++);
                assertThat(backend.connections()).isEqualTo(number);
                client.close();
            }
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    @Test
    void sessionEndsIfNoDescriptorIsFreeWithinConnectTimeout() throws Exception {
        ScarceChannel.allow(0);
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp(backend, Duration.ofMillis(300));
                RawClient client = balancer.client()) {
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);

            balancer.awaitQuiet();
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CONNECTION_WAITS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CONNECTION_WAITS_OVER)).isEqualTo(1);
        }
    }

    private static TestBalancer tcp(TestBackend backend, Duration connectTimeout) throws BindException {
        return BalancerSetup.shortOfDescriptors()
                .protocol(ListenerProtocol.TCP)
                .loops(1)
                .backend(backend)
                .connections(new Connections().connectTimeout(connectTimeout))
                .start();
    }
}
