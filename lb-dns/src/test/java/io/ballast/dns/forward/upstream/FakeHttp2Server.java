package io.ballast.dns.forward.upstream;

import io.ballast.net.testing.TestCertificate;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An HTTP/2 server with TLS on loopback that responds when the test requests it. */
public final class FakeHttp2Server implements AutoCloseable {

    public static final String MESSAGE = "application/dns-message";

    private static final int TIMEOUT_SECONDS = 20;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final Channel channel;

    /** @param max maximum number of concurrent streams */
    public FakeHttp2Server(TestCertificate certificate, String protocol, int max) throws Exception {
        SslContext tls = SslContextBuilder.forServer(certificate.key(), certificate.certificate())
                .sslProvider(SslProvider.JDK)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        protocol))
                .build();
        channel = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection
                                .pipeline()
                                .addLast(
                                        tls.newHandler(connection.alloc()),
                                        Http2FrameCodecBuilder.forServer()
                                                .autoAckPingFrame(false)
                                                .initialSettings(new Http2Settings().maxConcurrentStreams(max))
                                                .build(),
                                        new Http2MultiplexHandler(new ChannelInitializer<>() {
                                            @Override
                                            protected void initChannel(Channel stream) {
                                                stream.pipeline().addLast(new Request());
                                            }
                                        }),
                                        new Acknowledgements());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Waits for the next complete request. */
    public Request receive() throws InterruptedException {
        Request request = requests.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no request within " + TIMEOUT_SECONDS + " s");
        }
        return request;
    }

    /** Whether there is no further request yet. */
    boolean isQuiet() {
        return requests.isEmpty();
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Records the PING frames of a connection: the acknowledgement of a sent PING, and the first received PING.
     * Acknowledges received PING frames, unless {@link Request#holdPings} was called.
     */
    private static final class Acknowledgements extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<Void> received = new CompletableFuture<>();
        private final CompletableFuture<Long> pending = new CompletableFuture<>();
        private volatile boolean holds;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Http2PingFrame ping && ping.ack()) {
                received.complete(null);
            } else if (message instanceof Http2PingFrame ping) {
                pending.complete(ping.content());
                if (!holds) {
                    ctx.writeAndFlush(new DefaultHttp2PingFrame(ping.content(), /* ack= */ true));
                }
            }
            ReferenceCountUtil.release(message);
        }
    }

    /** Discards received data before it reaches the TLS handler. */
    private static final class Discarding extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }
    }

    /** A request and its stream. */
    public final class Request extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<Long> reset = new CompletableFuture<>();
        private final ByteBuf body = Unpooled.buffer();
        private Http2Headers head = new DefaultHttp2Headers();
        private Channel stream;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            stream = ctx.channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Http2HeadersFrame headers) {
                head = headers.headers();
            }
            if (message instanceof Http2DataFrame data) {
                body.writeBytes(data.content());
                if (data.isEndStream()) {
                    requests.add(this);
                }
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof Http2ResetFrame frame) {
                reset.complete(frame.errorCode());
            }
            ReferenceCountUtil.release(event);
        }

        Http2Headers head() {
            return head;
        }

        byte[] query() {
            byte[] query = new byte[body.readableBytes()];
            body.getBytes(body.readerIndex(), query);
            return query;
        }

        /** Whether the queried name contains this label. */
        boolean isAbout(String label) {
            return new String(query(), StandardCharsets.ISO_8859_1)
                    .toLowerCase(Locale.ROOT)
                    .contains(label);
        }

        /** The connection of the request. */
        Channel connection() {
            return stream.parent();
        }

        /** Sends a minimal response. */
        void answer() {
            respond("200", MESSAGE, FakeServer.response(query()));
        }

        void respond(String status, String type, byte[] content) {
            stream.write(new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().status(status).set(HttpHeaderNames.CONTENT_TYPE, type)));
            stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(content), /* endStream= */ true));
        }

        void resets(Http2Error why) {
            stream.writeAndFlush(new DefaultHttp2ResetFrame(why));
        }

        /** Waits until the peer resets the stream; returns the error code. */
        long awaitReset() {
            return reset.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        }

        /** Sends GOAWAY; returns when the peer has received it. */
        void goAway() {
            connection().write(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
            connection().writeAndFlush(new DefaultHttp2PingFrame(/* content= */ 1));
            acknowledgements()
                    .received
                    .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .join();
        }

        /** Discards all data received on the connection; takes effect before this method returns. */
        void stopAnswering() {
            Channel connection = connection();
            connection
                    .eventLoop()
                    .submit(() -> connection.pipeline().addFirst(new Discarding()))
                    .syncUninterruptibly();
        }

        /** Acknowledges no PING from now on. */
        void holdPings() {
            acknowledgements().holds = true;
        }

        /** Waits until the peer sends a PING; returns its content. */
        long awaitPing() {
            return acknowledgements()
                    .pending
                    .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .join();
        }

        /** Acknowledges the first PING, which {@link #awaitPing} has returned. */
        void acknowledgePing() {
            connection().writeAndFlush(new DefaultHttp2PingFrame(awaitPing(), /* ack= */ true));
        }

        private Acknowledgements acknowledgements() {
            return connection().pipeline().get(Acknowledgements.class);
        }

        /** Closes the connection with all its streams. */
        public void endConnection() {
            connection().close();
        }
    }
}
