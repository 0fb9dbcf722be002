package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBalancer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Verifies that a session holds little data when one side sends faster than the other reads. */
final class BackPressure {

    /** The receive buffer of a slow client, in bytes. */
    static final int SMALL_BUFFER = 16 * 1024;

    private static final int MEBIBYTE = 1024 * 1024;
    private static final int SENT = 64;
    private static final long MAX_READ_AHEAD = 32L * MEBIBYTE;
    private static final long MAX_MEMORY = 8L * MEBIBYTE;

    private final CountDownLatch read = new CountDownLatch(1);

    /** The script of a backend for {@link #verifySlowReader}. */
    static Script fastBackend() {
        return TcpScripts.floods(SENT);
    }

    /** The script of a backend for {@link #verifySlowBackend}. */
    Script slowBackend() {
        return TcpScripts.readsAfter(read);
    }

    /** @param client a client with a receive buffer of {@link #SMALL_BUFFER} bytes that has read nothing */
    static void verifySlowReader(TestBalancer balancer, RawClient client) {
        balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));

        assertThat(balancer.count(BackendCounter.BYTES_FROM)).isLessThan(MAX_READ_AHEAD);
        assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);
        for (int i = 0; i < SENT; i++) {
            assertThat(client.readExactly(MEBIBYTE)).hasSize(MEBIBYTE);
        }
        assertThat(client.readToEnd()).isEmpty();
    }

    /** @param client a client that has sent nothing */
    void verifySlowBackend(TestBalancer balancer, RawClient client) {
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            byte[] piece = new byte[MEBIBYTE];
            for (int i = 0; i < SENT; i++) {
                client.send(piece);
            }
            client.finishSending();
        });
        balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN));

        assertThat(sending).isNotDone();
        assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);
        read.countDown();
        assertThat(client.readToEnd()).isEqualTo("" + SENT * MEBIBYTE);
        sending.join();
    }
}
