package io.ballast.dns.net.doh;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendConfig;
import io.ballast.dns.net.stream.EmbeddedStream;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.DeferredQueries;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Tests the limits that protect the server against HTTP/2 clients that send abusive frames. */
class Http2RequestsTest {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int NO_ERROR = 0;
    private static final int REFUSED_STREAM = 7;

    private final DeferredQueries held = new DeferredQueries();
    private final EmbeddedStream stream = new EmbeddedStream(
            new ZoneFixture()
                    .pool(
                            "many",
                            IntStream.range(0, 250)
                                    .mapToObj(i -> ZoneFixture.backend("198.51.100." + i))
                                    .toArray(BackendConfig[]::new))
                    .zone("example.com", ZoneFixture.service("many", "many")),
            held);

    /** A frame sent by the server, with the first number of its payload. */
    private record Frame(int type, int flags, int streamId, int length, int first) {}

    @BeforeEach
    void connect() {
        stream.channel().pipeline().addLast(new Http2Codec(stream.connection()).build());
        send(Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", StandardCharsets.US_ASCII));
    }

    @AfterEach
    void close() {
        if (stream.channel().isOpen()) {
            // A graceful close with GOAWAY would wait for streams, and the test clock is stopped.
            stream.channel().pipeline().firstContext().close();
        }
        stream.channel().finishAndReleaseAll();
        assertThat(stream.sum(DnsCounter.ERRORS)).isZero();
    }

    @Test
    void incompleteBodiesTimeOut() {
        windows(65535);
        send(frame(HEADERS, END_HEADERS, 1, post()));
        stream.pass(4_000);
        send(frame(DATA, 0, 1, Unpooled.buffer().writeZero(3)));
        get(3);
        assertThat(stream.sum(DnsCounter.QUERIES_DOH)).isEqualTo(1);
        assertThat(stream.channel().isOpen()).isTrue();

        stream.pass(5_000 + EmbeddedStream.TICK_MILLIS);
        assertThat(stream.channel().isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_SENDER)).isEqualTo(1);
    }

    @Test
    void getMayEndWithEmptyDataFrame() {
        windows(65535);
        send(frame(HEADERS, END_HEADERS, 1, getBlock()));
        assertThat(stream.sum(DnsCounter.QUERIES_DOH)).isZero();
        send(frame(DATA, 0, 1, Unpooled.buffer().writeZero(3)));
        send(frame(DATA, END_STREAM, 1, Unpooled.EMPTY_BUFFER));

        assertThat(stream.sum(DnsCounter.QUERIES_DOH)).isEqualTo(1);
        assertThat(stream.sum(DnsCounter.HTTP_ERRORS)).isZero();
        assertThat(received())
                .filteredOn(frame -> frame.streamId() == 1)
                .extracting(Frame::type)
                .startsWith(HEADERS, DATA)
                .doesNotContain(RST_STREAM);
    }

    @Test
    void closedWindowTimesOut() {
        windows(0);
        get(1);
        assertThat(received()).filteredOn(frame -> frame.type() == DATA).isEmpty();
        stream.pass(4_900);
        assertThat(stream.channel().isOpen()).isTrue();

        stream.pass(100 + EmbeddedStream.TICK_MILLIS);
        assertThat(stream.channel().isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_READER)).isEqualTo(1);
    }

    @Test
    void slowSequentialReaderIsNotClosed() {
        windows(0);
        get(1);
        get(3);
        for (int streamId = 1; streamId <= 3; streamId += 2) {
            stream.pass(4_000);
            send(frame(WINDOW_UPDATE, 0, streamId, Unpooled.buffer().writeInt(65_535)));
        }

        stream.pass(2_000 - EmbeddedStream.TICK_MILLIS);
        assertThat(stream.channel().isOpen()).isTrue();
        assertThat(received())
                .filteredOn(frame -> frame.type() == DATA && frame.flags() == END_STREAM)
                .extracting(Frame::streamId)
                .containsExactly(1, 3);
    }

    @Test
    void refusesStreamsWhileResponsesWait() {
        windows(0);
        for (int streamId = 1; streamId < 200; streamId += 2) {
            get(streamId);
        }

        List<Frame> refused =
                received().stream().filter(frame -> frame.type() == RST_STREAM).toList();
        long answered = stream.sum(DnsCounter.QUERIES_DOH);
        assertThat(answered).isBetween(60L, 70L);
        assertThat(refused)
                .hasSize(100 - (int) answered)
                .extracting(Frame::first)
                .containsOnly(REFUSED_STREAM);
    }

    @Test
    void limitsResetStreams() {
        windows(65535);
        for (int streamId = 1; streamId < 500 && stream.channel().isOpen(); streamId += 2) {
            send(frame(HEADERS, END_HEADERS, streamId, post()));
            send(frame(RST_STREAM, 0, streamId, Unpooled.buffer().writeInt(8)));
        }

        assertThat(received()).filteredOn(frame -> frame.type() == GO_AWAY).isNotEmpty();
        assertThat(stream.sum(DnsCounter.QUERIES_DOH)).isZero();
    }

    @Test
    void rejectedRequestsResetTheirBody() {
        windows(65535);
        send(frame(HEADERS, END_HEADERS, 1, post()));
        send(frame(DATA, 0, 1, Unpooled.buffer().writeZero(16_384)));
        assertThat(received()).isEmpty();

        send(frame(DATA, 0, 1, Unpooled.buffer().writeZero(1)));
        List<Frame> frames = received();
        assertThat(frames)
                .filteredOn(frame -> frame.streamId() == 1)
                .extracting(Frame::type)
                .contains(HEADERS, RST_STREAM);
        assertThat(stream.sum(DnsCounter.HTTP_ERRORS)).isEqualTo(1);
        get(3);
        assertThat(stream.sum(DnsCounter.QUERIES_DOH)).isEqualTo(1);
    }

    @Test
    void tooLargeHeadGetsCompleteResponse() {
        windows(65535);
        ByteBuf block = getBlock();
        for (int bytes = 0; bytes <= DohRequest.MAX_HEADER_BYTES; bytes += 100) {
            literal(block, 0x5f, "x".repeat(100));
        }

        send(frame(HEADERS, END_HEADERS, 1, block));

        List<Frame> frames = received();
        assertThat(frames).extracting(Frame::type).containsExactly(HEADERS, RST_STREAM);
        assertThat(frames.get(0).flags() & END_STREAM).isEqualTo(END_STREAM);
        assertThat(frames.get(1).first()).isEqualTo(NO_ERROR);
    }

    @Test
    void deferredAnswersDoNotDelayOthers() {
        windows(65535);
        getLater(1);
        get(3);
        getLater(5);
        assertThat(ended(received())).containsExactly(3);

        answer(1);
        answer(0);

        assertThat(ended(received())).containsExactly(5, 1);
        assertThat(stream.channel().isOpen()).isTrue();
    }

    @Test
    void waitingStreamsCountTowardLimit() {
        windows(65535);
        for (int streamId = 1; streamId <= 201; streamId += 2) {
            getLater(streamId);
        }
        assertThat(held.count()).isEqualTo(100);
        assertThat(received())
                .filteredOn(frame -> frame.type() == RST_STREAM)
                .extracting(Frame::streamId)
                .containsExactly(201);

        answer(0);
        getLater(203);
        assertThat(held.count()).isEqualTo(101);
    }

    @Test
    void deferredAnswerOfResetStreamIsDropped() {
        windows(65535);
        getLater(1);
        getLater(3);
        send(frame(RST_STREAM, 0, 1, Unpooled.buffer().writeInt(8)));

        answer(0);
        answer(1);

        List<Frame> frames = received();
        assertThat(frames).filteredOn(frame -> frame.streamId() == 1).isEmpty();
        assertThat(ended(frames)).containsExactly(3);
    }

    @Test
    void pendingAnswersPreventIdleTimeout() {
        windows(65535);
        getLater(1);
        stream.pass(3 * EmbeddedStream.IDLE.toMillis());
        assertThat(stream.channel().isOpen()).isTrue();

        answer(0);
        assertThat(ended(received())).containsExactly(1);
    }

    @Test
    void closedWindowTimesOutForDeferredAnswers() {
        windows(0);
        getLater(1);
        answer(0);
        assertThat(received()).filteredOn(frame -> frame.type() == DATA).isEmpty();

        stream.pass(EmbeddedStream.MESSAGE.toMillis() + EmbeddedStream.TICK_MILLIS);
        assertThat(stream.channel().isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_READER)).isEqualTo(1);
    }

    @Test
    void disconnectedClientIsReleased() {
        windows(65535);
        getLater(1);
        stream.channel().pipeline().firstContext().close();

        answer(0);

        assertThat(ended(received())).isEmpty();
    }

    private void answer(int index) {
        held.answer(index);
        stream.channel().runPendingTasks();
    }

    private static List<Integer> ended(List<Frame> frames) {
        return frames.stream()
                .filter(frame -> frame.type() == DATA && frame.flags() == END_STREAM)
                .map(Frame::streamId)
                .toList();
    }

    private void windows(int initial) {
        send(frame(SETTINGS, 0, 0, Unpooled.buffer().writeShort(4).writeInt(initial)));
        received();
    }

    private void get(int streamId) {
        send(frame(HEADERS, END_HEADERS | END_STREAM, streamId, getBlock()));
    }

    private void getLater(int streamId) {
        send(frame(HEADERS, END_HEADERS | END_STREAM, streamId, getBlock("app.example.org")));
    }

    private static ByteBuf getBlock() {
        return getBlock("many.example.com");
    }

    private static ByteBuf getBlock(String name) {
        byte[] query = Messages.query(name, Type.A).toWire();
        String target =
                "/dns-query?dns=" + Base64.getUrlEncoder().withoutPadding().encodeToString(query);
        ByteBuf block = Unpooled.buffer().writeByte(0x82).writeByte(0x87);
        return literal(literal(block, 0x04, target), 0x01, "a");
    }

    private static ByteBuf post() {
        ByteBuf block = Unpooled.buffer().writeByte(0x83).writeByte(0x87);
        return literal(literal(literal(block, 0x04, "/dns-query"), 0x01, "a"), 0x5f, "application/dns-message");
    }

    /**
     * Appends a header field whose name is in the static table of HPACK (RFC 7541 section 6.2); its value must be
     * shorter than 127 bytes.
     */
    private static ByteBuf literal(ByteBuf block, int name, String value) {
        return block.writeByte(name).writeByte(value.length()).writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    private static ByteBuf frame(int type, int flags, int streamId, ByteBuf payload) {
        return Unpooled.buffer()
                .writeMedium(payload.readableBytes())
                .writeByte(type)
                .writeByte(flags)
                .writeInt(streamId)
                .writeBytes(payload);
    }

    private void send(ByteBuf bytes) {
        stream.channel().writeInbound(bytes);
    }

    private List<Frame> received() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = stream.channel().readOutbound();
                part != null;
                part = stream.channel().readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        List<Frame> frames = new ArrayList<>();
        while (all.isReadable()) {
            int length = all.readUnsignedMedium();
            int type = all.readUnsignedByte();
            int flags = all.readUnsignedByte();
            int streamId = all.readInt();
            ByteBuf payload = all.readSlice(length);
            frames.add(new Frame(type, flags, streamId, length, length >= 4 ? payload.readInt() : 0));
        }
        return frames;
    }
}
