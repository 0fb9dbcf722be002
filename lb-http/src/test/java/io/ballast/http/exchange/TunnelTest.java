package io.ballast.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.loop.FrontendLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TunnelTest {

    private static final Duration MAX_IDLE = Duration.ofHours(1);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> events = new ArrayList<>();
    private final Side client = new Side("client");
    private final Side backend = new Side("backend");
    private Tunnel tunnel;

    @BeforeEach
    void begin() {
        channel.freezeTime();
        FrontendLoop loop = new Loop(channel);
        loop.start();
        tunnel = new Tunnel(loop, MAX_IDLE, client, backend, () -> events.add("end"), () -> {
            tunnel.stop();
            events.add("idle");
        });
        tunnel.begin();
        assertThat(events).containsExactly("backend begins", "client begins", "backend reads");
        events.clear();
    }

    @Test
    void dataInEitherDirectionExtendsDeadline() {
        pass(MAX_IDLE.minusMinutes(1));
        tunnel.received(client, text("a"));
        pass(MAX_IDLE.minusMinutes(1));
        tunnel.received(backend, text("b"));
        pass(MAX_IDLE.minusMinutes(1));
        assertThat(events).containsExactly("backend gets a", "client gets b");

        pass(Duration.ofMinutes(2));

        assertThat(events).endsWith("idle");
    }

    @Test
    void readsOnlyWhileOtherSideIsWritable() {
        backend.writable = false;
        tunnel.received(client, text("a"));
        tunnel.received(backend, text("b"));
        tunnel.writable(backend);

        assertThat(events).containsExactly("backend gets a", "client waits", "client gets b", "client reads");
    }

    @Test
    void flushesOncePerReadBatch() {
        tunnel.readComplete(client);
        tunnel.readComplete(backend);

        assertThat(events).containsExactly("backend flushes", "client flushes");
    }

    @Test
    void directionsEndIndependently() {
        tunnel.ended(backend);
        tunnel.ended(backend);
        tunnel.received(client, text("more"));
        tunnel.ended(client);

        assertThat(events).containsExactly("client ends", "backend gets more", "backend ends", "end");
    }

    @Test
    void nothingIsRelayedAfterStop() {
        tunnel.stop();

        ByteBuf late = text("late");
        tunnel.received(client, late);
        tunnel.readComplete(client);
        tunnel.writable(client);
        tunnel.ended(client);
        pass(MAX_IDLE.multipliedBy(2));

        assertThat(late.refCnt()).isZero();
        assertThat(events).isEmpty();
    }

    /** A write may reveal that the other side is closed. */
    @Test
    void failingSideIsNotWrittenAgain() {
        backend.writable = false;
        backend.onData = tunnel::stop;

        tunnel.received(client, text("a"));

        assertThat(events).containsExactly("backend gets a");
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private static final class Loop extends FrontendLoop {

        Loop(EmbeddedChannel channel) {
            super(
                    channel.eventLoop(),
                    new Heartbeat("loop", Duration.ofSeconds(1)),
                    channel.eventLoop().ticker()::nanoTime);
        }
    }

    private final class Side implements TunnelSide {

        private final String name;
        private boolean writable = true;
        private @Nullable Runnable onData;

        Side(String name) {
            this.name = name;
        }

        @Override
        public void tunnelBegins(Tunnel started) {
            events.add(name + " begins");
        }

        @Override
        public void tunnelData(ByteBuf data) {
            events.add(name + " gets " + data.toString(StandardCharsets.US_ASCII));
            data.release();
            if (onData != null) {
                onData.run();
            }
        }

        @Override
        public void tunnelFlush() {
            events.add(name + " flushes");
        }

        @Override
        public void tunnelEnd() {
            events.add(name + " ends");
        }

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void setReading(boolean on) {
            events.add(name + (on ? " reads" : " waits"));
        }
    }
}
