package io.ballast.http.h3.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.TestTimeout;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.http3.DefaultHttp3DataFrame;
import io.netty.handler.codec.http3.DefaultHttp3Headers;
import io.netty.handler.codec.http3.DefaultHttp3HeadersFrame;
import io.netty.handler.codec.http3.Http3;
import io.netty.handler.codec.http3.Http3ClientConnectionHandler;
import io.netty.handler.codec.http3.Http3DataFrame;
import io.netty.handler.codec.http3.Http3GoAwayFrame;
import io.netty.handler.codec.http3.Http3Headers;
import io.netty.handler.codec.http3.Http3HeadersFrame;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.Certificate;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** An HTTP/3 client with one connection to a port of this machine. It accepts every certificate. */
public final class Http3Client implements AutoCloseable {

    private static final EventLoopGroup LOOP = new MultiThreadIoEventLoopGroup(
            1,
            daemon -> {
                Thread thread = new Thread(daemon, "http3-client");
                thread.setDaemon(true);
                return thread;
            },
            NioIoHandler.newFactory());
    private static final int MUCH = 64 * 1024 * 1024;

    private final Channel socket;
    private final QuicChannel connection;
    private volatile @Nullable Long goAway;

    private Http3Client(int port, String host) throws ExecutionException, InterruptedException, TimeoutException {
        QuicSslContext tls = QuicSslContextBuilder.forClient()
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .applicationProtocols(Http3.supportedApplicationProtocols())
                .endpointIdentificationAlgorithm("")
                .build();
        ChannelHandler codec = Http3.newQuicClientCodecBuilder()
                .sslEngineProvider(channel -> tls.newEngine(channel.alloc(), host, port))
                .maxIdleTimeout(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                .initialMaxData(MUCH)
                .initialMaxStreamDataBidirectionalLocal(MUCH)
                .build();
        this.socket = new Bootstrap()
                .group(LOOP)
                .channel(NioDatagramChannel.class)
                .handler(codec)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
        try {
            this.connection = QuicChannel.newBootstrap(socket)
                    .handler(new Http3ClientConnectionHandler(
                            new ControlFrames(), null, null, null, /* disableQpackDynamicTable= */ true))
                    .remoteAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .connect()
                    .get(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            socket.close();
            throw e;
        }
    }

    /** Connects, and asks for the host {@code localhost}. */
    public static Http3Client connect(int port) throws ExecutionException, InterruptedException, TimeoutException {
        return connect(port, "localhost");
    }

    /** Connects, and asks for a host (SNI). */
    public static Http3Client connect(int port, String host)
            throws ExecutionException, InterruptedException, TimeoutException {
        return new Http3Client(port, host);
    }

    /** One request. */
    public final class Request {

        private final QuicStreamChannel stream;
        private final Http3Answer answer = new Http3Answer();
        private @Nullable ChannelFuture last;

        private Request() throws ExecutionException, InterruptedException {
            stream = Http3.newRequestStream(connection, new Frames(answer)).get();
        }

        /** Sends a head. */
        public Request head(Http3Headers fields) {
            last = stream.writeAndFlush(new DefaultHttp3HeadersFrame(fields));
            return this;
        }

        /** Sends a part of the body. */
        public Request data(byte[] bytes) {
            last = stream.writeAndFlush(new DefaultHttp3DataFrame(Unpooled.copiedBuffer(bytes)));
            return this;
        }

        /** Sends a body in parts, each when the server accepts it. */
        public Request body(byte[] bytes) throws InterruptedException {
            for (int at = 0; at < bytes.length; at += 32 * 1024) {
                int length = Math.min(32 * 1024, bytes.length - at);
                stream.writeAndFlush(new DefaultHttp3DataFrame(Unpooled.copiedBuffer(bytes, at, length)))
                        .await(TestTimeout.LIMIT_MILLIS);
            }
            return this;
        }

        /** Ends the request when QUIC has accepted all of it; Netty would send the end before waiting data. */
        public Request end() {
            if (last != null) {
                last.awaitUninterruptibly(TestTimeout.LIMIT_MILLIS);
            }
            stream.shutdownOutput();
            return this;
        }

        /** Cancels the request in both directions. */
        public Request cancel() {
            stream.shutdown(0x10c);
            return this;
        }

        /** Stops to receive the response. */
        public Request stopReceiving() {
            stream.shutdownInput(0x10c);
            return this;
        }

        /** The response, which may not be complete. */
        public Http3Answer answer() {
            return answer;
        }

        /** Waits for the end of the response. */
        public Http3Answer read() throws InterruptedException {
            return answer.await();
        }
    }

    /** Opens a stream. */
    public Request open() throws ExecutionException, InterruptedException {
        return new Request();
    }

    /** Sends a GET with a small head, whose stream ends at once. */
    public Request get(String path, String... more) throws ExecutionException, InterruptedException {
        Request request = open();
        request.stream.eventLoop().execute(() -> {
            request.stream.write(new DefaultHttp3HeadersFrame(fields("GET", path, more)));
            request.stream.shutdownOutput();
        });
        return request;
    }

    /** Returns the fields of a request to the authority {@code a}, and further names and values. */
    public static Http3Headers fields(String method, String path, String... more) {
        Http3Headers fields = new DefaultHttp3Headers(/* validate= */ false)
                .method(method)
                .scheme("https")
                .authority("a")
                .path(path);
        for (int i = 0; i < more.length; i += 2) {
            fields.add(more[i], more[i + 1]);
        }
        return fields;
    }

    /** The certificate of the server. */
    public Certificate certificate() throws SSLPeerUnverifiedException {
        return connection.sslEngine().getSession().getPeerCertificates()[0];
    }

    /** The number in the last GOAWAY frame; null if there was none. */
    public @Nullable Long goAway() {
        return goAway;
    }

    /** Waits until the server has closed the connection. */
    public void awaitClose() {
        assertThat(connection.closeFuture().awaitUninterruptibly(TestTimeout.LIMIT_MILLIS))
                .as("the server closes the connection")
                .isTrue();
    }

    /** Whether the connection is open. */
    public boolean isOpen() {
        return connection.isActive();
    }

    @Override
    public void close() {
        connection.close().awaitUninterruptibly(TestTimeout.LIMIT_MILLIS);
        socket.close().awaitUninterruptibly(TestTimeout.LIMIT_MILLIS);
    }

    private static final class Frames extends ChannelInboundHandlerAdapter {

        private final Http3Answer answer;

        Frames(Http3Answer answer) {
            this.answer = answer;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Http3HeadersFrame frame) {
                answer.head(frame.headers());
            } else if (message instanceof Http3DataFrame frame) {
                byte[] bytes = new byte[frame.content().readableBytes()];
                frame.content().readBytes(bytes);
                answer.data(bytes);
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                answer.ended();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (!answer.isComplete()) {
                answer.failed(new ClosedChannelException());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            answer.failed(cause);
        }
    }

    private final class ControlFrames extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Http3GoAwayFrame frame) {
                goAway = frame.id();
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
