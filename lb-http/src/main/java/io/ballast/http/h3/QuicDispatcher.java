package io.ballast.http.h3;

import io.ballast.http.h3.client.Http3Connection;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.net.config.TransportKind;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.quic.EpollQuicUtils;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicChannelOption;
import io.netty.handler.codec.quic.QuicCodecDispatcher;
import io.netty.handler.codec.quic.QuicConnectionIdGenerator;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Adds the QUIC codec to each UDP socket of a port, and passes datagrams to the socket whose number is in their connection
 * id. Thread-safe.
 */
final class QuicDispatcher extends QuicCodecDispatcher {

    /**
     * The time without any packet after which a connection ends. It only detects clients that are gone: connections
     * without requests end earlier, and presence checks send packets while a request waits.
     */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private static final int CONNECTION_WINDOW = 1024 * 1024;
    private static final int STREAM_WINDOW = 256 * 1024;
    /** The streams for settings and QPACK, and some that extensions may open. */
    private static final int UNIDIRECTIONAL_STREAMS = 8;

    private static final int UNIDIRECTIONAL_WINDOW = 16 * 1024;
    private static final int MAX_SENT_DATAGRAM_BYTES = 1350;
    private static final int MAX_RECEIVED_DATAGRAM_BYTES = 1472;
    /** The maximum number of datagrams that one system call sends to a client (GSO). */
    private static final int SEGMENTS = 16;

    private static final int MIN_READ_BYTES = 256;
    private static final int FIRST_READ_BYTES = 2048;
    private static final int MAX_READ_BYTES = 16 * 1024;

    private final Workers workers;
    private final QuicSslContext context;
    private final byte[] key;
    private final BooleanSupplier isUnderLoad;
    private final BiConsumer<QuicChannel, Worker> acceptor;

    /**
     * @param key the secret of the Retry tokens
     * @param isUnderLoad whether new clients must return a token
     * @param acceptor gets each new connection on its event loop
     */
    QuicDispatcher(
            Workers workers,
            QuicSslContext context,
            byte[] key,
            BooleanSupplier isUnderLoad,
            BiConsumer<QuicChannel, Worker> acceptor) {
        this.workers = workers;
        this.context = context;
        this.key = key.clone();
        this.isUnderLoad = isUnderLoad;
        this.acceptor = acceptor;
    }

    @Override
    protected void initChannel(Channel socket, int idLength, QuicConnectionIdGenerator ids) {
        Worker worker = workers.of(socket.eventLoop());
        QuicServerCodecBuilder builder = new QuicServerCodecBuilder()
                .sslContext(context)
                .localConnectionIdLength(idLength)
                .connectionIdAddressGenerator(ids)
                .tokenHandler(new RetryTokens(key, System::nanoTime, isUnderLoad))
                .maxIdleTimeout(MAX_SILENCE.toMillis(), TimeUnit.MILLISECONDS)
                .maxSendUdpPayloadSize(MAX_SENT_DATAGRAM_BYTES)
                .maxRecvUdpPayloadSize(MAX_RECEIVED_DATAGRAM_BYTES)
                .initialMaxData(CONNECTION_WINDOW)
                .initialMaxStreamDataBidirectionalRemote(STREAM_WINDOW)
                .initialMaxStreamDataUnidirectional(UNIDIRECTIONAL_WINDOW)
                .initialMaxStreamsBidirectional(Http3Connection.MAX_STREAMS)
                .initialMaxStreamsUnidirectional(UNIDIRECTIONAL_STREAMS)
                .activeMigration(true)
                .option(ChannelOption.ALLOCATOR, workers.allocator())
                .streamOption(ChannelOption.ALLOCATOR, workers.allocator())
                .streamOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(MIN_READ_BYTES, FIRST_READ_BYTES, MAX_READ_BYTES))
                .handler(new ChannelInitializer<QuicChannel>() {
                    @Override
                    protected void initChannel(QuicChannel connection) {
                        acceptor.accept(connection, worker);
                    }
                });
        if (worker.transport().kind() == TransportKind.EPOLL) {
            builder.option(
                    QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR,
                    EpollQuicUtils.newSegmentedAllocator(SEGMENTS));
        }
        socket.pipeline().addLast(builder.build());
    }
}
