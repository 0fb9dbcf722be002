package io.ballast.net.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AcceptBackoffTest {

    private final IOException emfile = new IOException("Too many open files");

    private final FileDescriptorReserve descriptors = new FileDescriptorReserve(() -> 0);
    private final AtomicInteger count = new AtomicInteger();
    private final EmbeddedChannel socket = channel(/* isForOperators= */ false);

    private EmbeddedChannel channel(boolean isForOperators) {
        EmbeddedChannel channel =
                new EmbeddedChannel(new AcceptBackoff(descriptors, isForOperators, count::incrementAndGet));
        channel.freezeTime();
        return channel;
    }

    @Test
    void failurePausesAcceptingAndIsCounted() {
        socket.pipeline().fireExceptionCaught(emfile);

        assertThat(count).hasValue(1);
        assertThat(accepts(socket)).isFalse();
        pass(socket, AcceptBackoff.SHORTEST.toMillis() - 1);
        assertThat(accepts(socket)).isFalse();
        pass(socket, 1);
        assertThat(accepts(socket)).isTrue();
    }

    @Test
    void failureIsNotLoggedByNetty() {
        socket.pipeline().fireExceptionCaught(emfile);

        socket.checkException();
    }

    @Test
    void consecutiveFailuresPauseLongerUpToLimit() {
        long last = 0;
        for (int i = 0; i < 8; i++) {
            socket.pipeline().fireExceptionCaught(emfile);
            last = pauseMillis();
        }
        assertThat(last).isEqualTo(AcceptBackoff.LONGEST.toMillis());

        socket.writeInbound("a connection");
        socket.pipeline().fireExceptionCaught(emfile);

        assertThat(pauseMillis()).isEqualTo(AcceptBackoff.SHORTEST.toMillis());
    }

    @Test
    void failuresDuringPauseAreCountedOnly() {
        for (int i = 0; i < 1000; i++) {
            socket.pipeline().fireExceptionCaught(emfile);
        }

        assertThat(count).hasValue(1000);
        assertThat(pauseMillis()).isEqualTo(AcceptBackoff.SHORTEST.toMillis());
    }

    @Test
    void descriptorShortagePausesClientSocketsOnly() {
        EmbeddedChannel dashboard = channel(/* isForOperators= */ true);
        descriptors.releaseReserve("accept elsewhere");

        socket.writeInbound("a connection");
        dashboard.writeInbound("a connection");

        assertThat(accepts(socket)).isFalse();
        assertThat(accepts(dashboard)).isTrue();
        assertThat((String) socket.readInbound()).isEqualTo("a connection");
    }

    private long pauseMillis() {
        long millis = 0;
        while (!accepts(socket)) {
            pass(socket, 1);
            millis++;
        }
        return millis;
    }

    private static boolean accepts(EmbeddedChannel channel) {
        return channel.config().isAutoRead();
    }

    private static void pass(EmbeddedChannel channel, long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }
}
