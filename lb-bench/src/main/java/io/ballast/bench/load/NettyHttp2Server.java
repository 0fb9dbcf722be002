package io.ballast.bench.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A bare HTTP/2 server on Netty's codec: it answers every request with the same small response, without TLS,
 * routing, limits or counters. {@code compare h2 --scenario codec} compares it with a fixed response of
 * Ballast, which has its own codec. Arguments: port and number of event loops. Runs until the process is
 * killed.
 */
public final class NettyHttp2Server {

    private static final ByteBuf BODY = Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer().writeBytes("hello\n".getBytes(StandardCharsets.US_ASCII)))
            .asReadOnly();

    private NettyHttp2Server() {}

    public static void main(String[] arguments) throws InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        var loops = new MultiThreadIoEventLoopGroup(Integer.parseInt(arguments[1]), EpollIoHandler.newFactory());
        new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer().build(), new FixedResponse());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    /** Answers at the end of the request's headers; requests with a body are not answered. */
    private static final class FixedResponse extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2HeadersFrame request && request.isEndStream()) {
                respond(context, request.stream());
            }
            ReferenceCountUtil.release(message);
        }

        private static void respond(ChannelHandlerContext context, Http2FrameStream stream) {
            Http2Headers headers = new DefaultHttp2Headers()
                    .status("200")
                    .add("content-type", "text/plain")
                    .add("content-length", Integer.toString(BODY.readableBytes()));
            context.write(new DefaultHttp2HeadersFrame(headers).stream(stream));
            context.write(new DefaultHttp2DataFrame(BODY.retainedDuplicate(), /* endStream= */ true).stream(stream));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
