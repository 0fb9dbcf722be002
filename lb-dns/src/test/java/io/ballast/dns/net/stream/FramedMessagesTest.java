package io.ballast.dns.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendConfig;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.stats.DnsCounter;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class FramedMessagesTest {

    private static final Duration IDLE = EmbeddedStream.IDLE;
    private static final Duration MESSAGE = EmbeddedStream.MESSAGE;
    private static final int TICK_MILLIS = EmbeddedStream.TICK_MILLIS;

    private final EmbeddedStream stream;
    private final EmbeddedChannel channel;

    FramedMessagesTest() {
        ZoneFixture fixture = new ZoneFixture()
                .pool("web", ZoneFixture.backend("192.0.2.1"))
                .pool(
                        "many",
                        IntStream.range(0, 250)
                                .mapToObj(i -> ZoneFixture.backend("198.51.100." + i))
                                .toArray(BackendConfig[]::new))
                .zone("example.com", ZoneFixture.service("app", "web"), ZoneFixture.service("many", "many"));
        stream = new EmbeddedStream(fixture);
        channel = stream.channel();
        channel.pipeline().addLast(new FramedMessages(stream.connection(), Transport.TCP));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void acceptsByteByByteQuery() {
        ByteBuf query = framed(query("app", 7));
        while (query.isReadable()) {
            assertThat(responses()).isEmpty();
            channel.writeInbound(Unpooled.buffer().writeByte(query.readByte()));
        }

        assertThat(responses()).singleElement().satisfies(response -> {
            assertThat(response.getHeader().getID()).isEqualTo(7);
            assertThat(Messages.answers(response)).containsExactly("192.0.2.1");
        });
    }

    @Test
    void answersQueriesOfOneSegmentInOrder() {
        ByteBuf last = framed(query("app", 3));
        ByteBuf segment = Unpooled.buffer().writeBytes(framed(query("app", 1))).writeBytes(framed(query("app", 2)));
        segment.writeBytes(last, 10);

        channel.writeInbound(segment);
        assertThat(ids(responses())).containsExactly(1, 2);

        channel.writeInbound(last);
        assertThat(ids(responses())).containsExactly(3);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void malformedMessageClosesAfterEarlierAnswers() {
        channel.writeInbound(Unpooled.buffer()
                .writeBytes(framed(query("app", 1)))
                .writeShort(3)
                .writeZero(3));

        assertThat(ids(responses())).containsExactly(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.MALFORMED)).isEqualTo(1);
    }

    @Test
    void emptyMessageClosesConnection() {
        channel.writeInbound(Unpooled.buffer().writeShort(0));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void idleConnectionTimesOut() {
        stream.pass(IDLE.toMillis() - 1);
        assertThat(channel.isOpen()).isTrue();

        stream.pass(1 + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.IDLE)).isEqualTo(1);
        assertThat(stream.sum(DnsCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
    }

    @Test
    void queriesExtendIdleTimeout() {
        stream.pass(6_000);
        channel.writeInbound(framed(query("app", 1)));
        stream.pass(6_000);
        assertThat(channel.isOpen()).isTrue();

        stream.pass(4_000 + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.IDLE)).isEqualTo(1);
    }

    @Test
    void fragmentsDoNotExtendIdleTimeout() {
        channel.writeInbound(Unpooled.buffer().writeByte(0));
        for (int i = 0; i < 4; i++) {
            stream.pass(1_000);
            channel.writeInbound(Unpooled.buffer().writeByte(20));
        }
        assertThat(channel.isOpen()).isTrue();

        stream.pass(1_000 + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_SENDER)).isEqualTo(1);
        assertThat(stream.sum(DnsCounter.IDLE)).isZero();
    }

    @Test
    void messageTimeoutStartsWithFirstByte() {
        ByteBuf segment = Unpooled.buffer().writeBytes(framed(query("app", 1)));
        channel.writeInbound(segment.writeBytes(framed(query("app", 2)), 5));
        stream.pass(4_000);
        channel.writeInbound(
                framed(query("app", 2)).skipBytes(5), framed(query("app", 3)).readBytes(5));

        stream.pass(4_000);
        assertThat(ids(responses())).containsExactly(1, 2);
        assertThat(channel.isOpen()).isTrue();

        stream.pass(1_000 + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void halfClosedClientGetsAnswers() {
        channel.pipeline().fireChannelRead(framed(query("app", 1)));
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

        assertThat(ids(responses())).containsExactly(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void clientThatDoesNotReadIsClosed() {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(8 * 1024, 16 * 1024));
        for (int id = 0; id < 8; id++) {
            channel.pipeline().fireChannelRead(framed(query("many", id)));
        }
        stream.pass(MESSAGE.toMillis() - 1);
        assertThat(channel.isOpen()).isTrue();

        stream.pass(1 + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_READER)).isEqualTo(1);
    }

    @Test
    void unreadResponsesCloseIdleClient() {
        channel.pipeline().fireChannelRead(framed(query("many", 1)));

        stream.pass(IDLE.toMillis() + TICK_MILLIS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_READER)).isEqualTo(1);
        assertThat(stream.sum(DnsCounter.IDLE)).isZero();
    }

    @Test
    void pausesAnswersForSlowReader() {
        int queries = 100;
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(8 * 1024, 16 * 1024));
        ByteBuf segment = Unpooled.buffer();
        for (int id = 0; id < queries; id++) {
            segment.writeBytes(framed(query("many", id)));
        }

        // Nothing is flushed until the read completes, so responses stay pending as with a client that does not read.
        channel.pipeline().fireChannelRead(segment);
        long answered = stream.sum(DnsCounter.QUERIES_TCP);
        assertThat(answered).isBetween(4L, 5L);
        assertThat(channel.config().isAutoRead()).isFalse();

        channel.pipeline().fireChannelReadComplete();
        channel.runPendingTasks();

        assertThat(ids(responses()))
                .isEqualTo(IntStream.range(0, queries).boxed().toList());
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    private static byte[] query(String service, int id) {
        Message query = Messages.query(service + ".example.com", Type.A);
        query.getHeader().setID(id);
        return query.toWire();
    }

    private static ByteBuf framed(byte[] message) {
        return Unpooled.buffer().writeShort(message.length).writeBytes(message);
    }

    private List<Message> responses() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        List<Message> responses = new ArrayList<>();
        while (all.isReadable()) {
            byte[] message = new byte[all.readUnsignedShort()];
            all.readBytes(message);
            responses.add(Messages.parse(message));
        }
        return responses;
    }

    private static List<Integer> ids(List<Message> responses) {
        return responses.stream().map(response -> response.getHeader().getID()).toList();
    }
}
