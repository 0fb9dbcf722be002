package io.ballast.dns.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.DeferredQueries;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests connections with delayed answers. */
class DeferredMessagesTest {

    private static final Duration IDLE = EmbeddedStream.IDLE;
    private static final Duration MESSAGE = EmbeddedStream.MESSAGE;
    private static final int TICK_MILLIS = EmbeddedStream.TICK_MILLIS;

    private final DeferredQueries held = new DeferredQueries();
    private final EmbeddedStream stream = new EmbeddedStream(
            new ZoneFixture()
                    .pool("web", ZoneFixture.backend("192.0.2.1"))
                    .zone("example.com", ZoneFixture.service("app", "web")),
            held);
    private final EmbeddedChannel channel = stream.channel();

    @BeforeEach
    void connect() {
        channel.pipeline().addLast(new FramedMessages(stream.connection(), Transport.TCP));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        assertThat(stream.sum(DnsCounter.ERRORS)).isZero();
    }

    @Test
    void answersDoNotWaitForEachOther() {
        channel.writeInbound(Unpooled.wrappedBuffer(deferred(1), own(2), deferred(3)));
        assertThat(responses()).containsExactly(2);

        answer(1);
        answer(0);

        assertThat(responses()).containsExactly(3, 1);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void halfClosedClientGetsDeferredAnswers() {
        channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(deferred(1), deferred(2)));
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        answer(1);
        assertThat(responses()).containsExactly(2);
        assertThat(channel.isOpen()).isTrue();

        answer(0);
        assertThat(responses()).containsExactly(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void malformedMessageClosesAfterDeferredAnswers() {
        channel.writeInbound(Unpooled.wrappedBuffer(
                deferred(1), Unpooled.buffer().writeShort(3).writeZero(3), own(2)));
        assertThat(channel.isOpen()).isTrue();
        channel.writeInbound(own(3));
        assertThat(responses()).isEmpty();
        assertThat(channel.config().isAutoRead()).isFalse();

        answer(0);
        assertThat(responses()).containsExactly(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void pausesReadingWithManyDeferredAnswers() {
        int max = FramedMessages.MAX_DEFERRED;
        ByteBuf segment = Unpooled.buffer();
        for (int id = 0; id < max + 2; id++) {
            segment.writeBytes(deferred(id));
        }
        channel.writeInbound(segment.writeBytes(deferred(max + 2), 5));
        assertThat(held.count()).isEqualTo(max);
        assertThat(channel.config().isAutoRead()).isFalse();

        stream.pass(1000);
        answer(7);
        assertThat(held.count()).isEqualTo(max + 1);
        assertThat(held.arrivedNanos(max)).isEqualTo(held.arrivedNanos(0));
        assertThat(channel.config().isAutoRead()).isFalse();

        answer(8);
        assertThat(held.count()).isEqualTo(max + 2);
        assertThat(channel.config().isAutoRead()).isFalse();

        answer(9);
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(responses()).containsExactly(7, 8, 9);
    }

    @Test
    void pausedClientDoesNotTimeOut() {
        ByteBuf segment = Unpooled.buffer();
        for (int id = 0; id < FramedMessages.MAX_DEFERRED; id++) {
            segment.writeBytes(deferred(id));
        }
        channel.writeInbound(segment.writeBytes(own(7), 5));

        stream.pass(3 * MESSAGE.toMillis());
        assertThat(channel.isOpen()).isTrue();

        answer(0);
        stream.pass(MESSAGE.toMillis() + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_SENDER)).isEqualTo(1);
    }

    @Test
    void deferredAnswersPreventIdleTimeout() {
        channel.writeInbound(deferred(1));
        stream.pass(3 * IDLE.toMillis());
        assertThat(channel.isOpen()).isTrue();

        answer(0);
        assertThat(responses()).containsExactly(1);
        stream.pass(IDLE.toMillis() - TICK_MILLIS);
        assertThat(channel.isOpen()).isTrue();

        stream.pass(2 * TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.IDLE)).isEqualTo(1);
    }

    @Test
    void closingConnectionWaitsForDeferredAnswers() {
        channel.writeInbound(deferred(1));
        stream.connection().retire();
        stream.pass(MESSAGE.toMillis() / 2);
        assertThat(channel.isOpen()).isTrue();

        answer(0);
        assertThat(responses()).containsExactly(1);
        stream.pass(1_000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void closingConnectionHasTimeout() {
        channel.writeInbound(deferred(1));
        stream.connection().retire();

        stream.pass(MESSAGE.toMillis() + 1_000);
        assertThat(channel.isOpen()).isFalse();
        answer(0);
    }

    @Test
    void disconnectedClientIsReleased() {
        channel.writeInbound(Unpooled.wrappedBuffer(deferred(1), deferred(2)));
        channel.close();

        answer(0);
        answer(1);

        assertThat(responses()).isEmpty();
        assertThat(stream.sum(DnsCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
    }

    @Test
    void clientNotReadingDeferredAnswersIsClosed() {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(16, 32));
        channel.writeInbound(deferred(1));
        // UnflushedOutput ignores flushes, so written data stays in the channel.
        channel.pipeline().addFirst(new UnflushedOutput());
        answer(0);
        assertThat(channel.isWritable()).isFalse();

        stream.pass(MESSAGE.toMillis() + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_READER)).isEqualTo(1);
    }

    /** Answers the query number {@code index}. */
    private void answer(int index) {
        held.answer(index);
        channel.runPendingTasks();
    }

    private static ByteBuf own(int id) {
        return query("app.example.com", id);
    }

    private static ByteBuf deferred(int id) {
        return query("app.example.org", id);
    }

    private static ByteBuf query(String name, int id) {
        Message query = Messages.query(name, Type.A);
        query.getHeader().setID(id);
        byte[] wire = query.toWire();
        return Unpooled.buffer().writeShort(wire.length).writeBytes(wire);
    }

    /** Returns the ids of the sent responses. */
    private List<Integer> responses() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        List<Integer> ids = new ArrayList<>();
        while (all.isReadable()) {
            byte[] message = new byte[all.readUnsignedShort()];
            all.readBytes(message);
            Message response = Messages.parse(message);
            assertThat(Messages.answers(response)).hasSize(1);
            ids.add(response.getHeader().getID());
        }
        return ids;
    }
}
