package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.multiplex.ConnectionClock;
import io.ballast.http.multiplex.StreamDeadline;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.TransitBudget;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests stream deadlines with 240 bytes per second, a grace period of 5 s, and idle timeouts of 30 s for bodies and 60
 * s for responses.
 */
class StreamDeadlineTest {

    private static final int RATE = 240;
    private static final int KIB = 1024;
    private static final int MUCH = 1_000_000;
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration BODY_IDLE = Duration.ofSeconds(30);
    private static final Duration RESPONSE_IDLE = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofHours(1);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> events = new ArrayList<>();
    private boolean writable = true;
    private FrameOutput frames;
    private SendFlow flow;
    private ConnectionClock clock;
    private Stream stream;

    @BeforeEach
    void connect() {
        channel.freezeTime();
        Loop loop = new Loop(channel.eventLoop(), channel.eventLoop().ticker()::nanoTime);
        loop.start();
        frames = new FrameOutput(new Client(), UnpooledByteBufAllocator.DEFAULT, channel.eventLoop(), new byte[4096]);
        flow = new SendFlow(frames, new HeaderBlock(), loop, new TransitShare(new TransitBudget(1 << 28, () -> 0), 1));
        clock = new ConnectionClock(loop);
        stream = new Stream(loop, Setting.DEFAULT_WINDOW);
    }

    @AfterEach
    void close() {
        stream.response.stop();
        flow.clear();
        frames.release();
    }

    // ---- request bodies

    @Test
    void trickledBodyTimesOut() {
        stream.deadline.awaitBody();
        for (int i = 0; i < 10 && events.isEmpty(); i++) {
            stream.bodyReceived(1);
            pass(Duration.ofSeconds(1));
        }

        assertThat(events).containsExactly("body " + Failure.REQUEST_BODY_SLOW);
    }

    @Test
    void bodyAtMinimumRateContinues() {
        stream.deadline.awaitBody();
        for (int i = 0; i < 100; i++) {
            stream.bodyReceived(KIB);
            pass(Duration.ofSeconds(4));
        }

        assertThat(events).isEmpty();
    }

    @Test
    void unstartedBodyUsesIdleTimeout() {
        stream.deadline.awaitBody();
        pass(BODY_IDLE.minusSeconds(1));
        assertThat(events).isEmpty();
        pass(Duration.ofSeconds(2));

        assertThat(events).containsExactly("body " + Failure.REQUEST_BODY_TIMEOUT);
    }

    @Test
    void emptyFramesAreNoProgress() {
        stream.deadline.awaitBody();
        for (int i = 0; i < 31; i++) {
            stream.bodyReceived(0);
            pass(Duration.ofSeconds(1));
        }

        assertThat(events).containsExactly("body " + Failure.REQUEST_BODY_TIMEOUT);
    }

    @Test
    void stalledBackendIsNotClientTimeout() {
        stream.bodyReceived(1);
        stream.deadline.expectNoBody();
        pass(LONG);
        stream.deadline.awaitBody();
        stream.bodyReceived(1);
        pass(GRACE.minusSeconds(1));
        assertThat(events).isEmpty();
        pass(Duration.ofSeconds(2));

        assertThat(events).containsExactly("body " + Failure.REQUEST_BODY_SLOW);
    }

    /**
     * During the response both directions are open. The backend connection limits how long both may be silent.
     */
    @Test
    void bodyMayPauseDuringResponse() {
        stream.bodyReceived(1);
        stream.deadline.responseStarted();
        stream.bodyReceived(1);
        stream.deadline.awaitBody();
        pass(BODY_IDLE.multipliedBy(10));

        assertThat(events).isEmpty();
    }

    // ---- responses

    @Test
    void smallWindowUpdatesTimeOut() {
        stream.respond();
        int updates = openNowAndThen(stream, KIB, Duration.ofSeconds(10));

        assertThat(events).containsExactly("reader");
        assertThat(updates).isLessThan(12);
    }

    @Test
    void readerAtMinimumRateContinues() {
        stream.respond();
        openNowAndThen(stream, KIB, Duration.ofSeconds(4));

        assertThat(events).isEmpty();
    }

    @Test
    void smallInitialWindowTimesOut() {
        stream = new Stream(stream.loop, 100);
        stream.respond();
        pass(GRACE.minusSeconds(1));
        assertThat(events).isEmpty();
        pass(Duration.ofSeconds(2));

        assertThat(events).containsExactly("reader");
    }

    @Test
    void sentBytesCountOnceAcknowledged() {
        flow.grow(MUCH);
        stream.respond();
        pass(RESPONSE_IDLE.minusSeconds(1));
        assertThat(events).isEmpty();
        pass(Duration.ofSeconds(2));

        assertThat(events).containsExactly("reader");
    }

    @Test
    void caughtUpReaderRestartsTimer() {
        flow.grow(MUCH);
        stream = new Stream(stream.loop, 0);
        stream.give(RATE);
        for (int i = 0; i < 20; i++) {
            pass(GRACE.minusSeconds(1));
            stream.open(RATE);
            stream.give(RATE);
        }
        assertThat(events).isEmpty();
    }

    @Test
    void uploadDoesNotExtendReaderTimeout() {
        stream = new Stream(stream.loop, 100);
        stream.deadline.responseStarted();
        stream.respond();
        for (int i = 0; i < 10 && events.isEmpty(); i++) {
            stream.bodyReceived(KIB);
            stream.deadline.awaitBody();
            pass(Duration.ofSeconds(1));
        }

        assertThat(events).containsExactly("reader");
    }

    @Test
    void blockedConnectionIsNotStreamTimeout() {
        Stream other = new Stream(stream.loop, MUCH);
        other.respond(); // uses the whole connection window
        stream.respond();
        for (int i = 0; i < 100; i++) {
            pass(Duration.ofSeconds(4));
            flow.dequeue(stream.response.output()); // so that the other stream has its turn
            flow.grow(KIB);
            flow.pump();
            flow.enqueue(stream.response.output());
        }
        assertThat(events).isEmpty();
        assertThat(stream.response.sentBytes()).isZero();

        pass(RESPONSE_IDLE.plusSeconds(1)); // the client sends no more window updates

        assertThat(events).containsExactlyInAnyOrder("reader", "reader");
        other.response.stop();
    }

    @Test
    void closedStreamWindowTimesOutDespiteOpenConnection() {
        Stream other = new Stream(stream.loop, MUCH);
        other.respond();
        stream = new Stream(stream.loop, 1);
        stream.respond();
        for (int i = 0; i < 10 && events.isEmpty(); i++) {
            flow.dequeue(stream.response.output());
            flow.grow(KIB);
            flow.pump();
            flow.enqueue(stream.response.output());
            pass(Duration.ofSeconds(1));
        }

        assertThat(events).containsExactly("reader");
        other.response.stop();
    }

    /** With an open stream window, the connection window is the limit. */
    @Test
    void timerStartsWhenWindowOpens() {
        Stream other = new Stream(stream.loop, MUCH);
        other.respond();
        stream = new Stream(stream.loop, 1);
        stream.respond();
        pass(GRACE.minusSeconds(1));
        stream.open(MUCH);
        for (int i = 0; i < 10; i++) {
            flow.dequeue(stream.response.output());
            flow.grow(KIB);
            flow.pump();
            flow.enqueue(stream.response.output());
            pass(Duration.ofSeconds(4));
        }

        assertThat(events).isEmpty();
        other.response.stop();
    }

    // ---- both

    @Test
    void timersPauseWhileConnectionIsBlocked() {
        flow.grow(MUCH);
        stream.respond();
        stream.bodyReceived(1);
        stream.deadline.awaitBody();
        pass(Duration.ofSeconds(3));
        writable(false);
        pass(LONG);
        assertThat(events).isEmpty();
        writable(true);
        pass(Duration.ofSeconds(1));
        assertThat(events).isEmpty();
        pass(Duration.ofSeconds(2));

        assertThat(events).containsExactly("body " + Failure.REQUEST_BODY_SLOW);
    }

    @Test
    void remainingRequestIsReadBriefly() {
        stream.bodyReceived(1);
        stream.deadline.awaitRestOfRequest();
        stream.deadline.expectNoBody();
        pass(Duration.ofMillis(1500));

        assertThat(events).containsExactly("rest");
    }

    @Test
    void noTimeoutAfterEnd() {
        flow.grow(MUCH);
        stream.respond();
        stream.bodyReceived(1);
        stream.deadline.awaitBody();
        stream.deadline.end();
        pass(LONG);

        assertThat(events).isEmpty();
    }

    /** Returns the number of window updates before the reader was too slow, up to a hundred. */
    private int openNowAndThen(Stream reader, int bytes, Duration pause) {
        flow.grow(MUCH);
        int updates = 0;
        while (updates < 100 && events.isEmpty()) {
            pass(pause);
            reader.open(bytes);
            updates++;
        }
        return updates;
    }

    private void writable(boolean is) {
        writable = is;
        clock.setRunning(is);
    }

    private void pass(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= DeadlineWheel.TICK_MILLIS) {
            channel.advanceTimeBy(DeadlineWheel.TICK_MILLIS, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** A stream with an endless response. */
    private final class Stream implements StreamDeadline.Owner {

        private final Loop loop;
        private final Http2ResponseStream response = new Http2ResponseStream(flow);
        private final StreamDeadline deadline;

        Stream(Loop loop, int window) {
            this.loop = loop;
            this.deadline = new StreamDeadline(loop, times(), clock, response, this);
            response.resumeBy(this::pump);
            flow.initialWindow(window);
            response.begin(1);
            flow.initialWindow(Setting.DEFAULT_WINDOW);
            deadline.begin();
        }

        private static ClientDeadlines times() {
            return new ClientDeadlines(
                    LONG,
                    BODY_IDLE,
                    RESPONSE_IDLE,
                    LONG,
                    Duration.ZERO,
                    new MinimumRate(RATE, RATE, GRACE),
                    ClientDeadlines.DEFAULT_TUNNEL_IDLE);
        }

        private boolean pump() {
            boolean done = response.pump();
            deadline.updateResponseDeadline();
            return done;
        }

        void bodyReceived(int bytes) {
            deadline.bodyReceived(bytes);
            deadline.awaitBody();
        }

        void respond() {
            give(MUCH);
        }

        void give(int bytes) {
            response.add(Unpooled.wrappedBuffer(new byte[bytes]));
            deadline.updateResponseDeadline();
        }

        void open(int bytes) {
            response.output().grow(bytes);
            response.allow(bytes);
            deadline.windowChanged();
            flow.enqueue(response.output());
            flow.pump();
        }

        @Override
        public void senderTooSlow(Failure failure) {
            events.add("body " + failure);
        }

        @Override
        public void readerTooSlow() {
            events.add("reader");
        }

        @Override
        public void restTimedOut() {
            events.add("rest");
        }
    }

    private final class Client implements FrameOutput.ByteSink {

        @Override
        public void write(ByteBuf data) {
            data.release();
        }

        @Override
        public void flush() {}

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public long pendingBytes() {
            return 0;
        }
    }

    private static final class Loop extends FrontendLoop {

        Loop(EventLoop eventLoop, LongSupplier nanoTime) {
            super(eventLoop, new Heartbeat("embedded", Duration.ofSeconds(1)), nanoTime);
        }
    }
}
