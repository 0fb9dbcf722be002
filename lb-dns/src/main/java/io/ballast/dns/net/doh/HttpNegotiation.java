package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;

/** Adds the handlers of the negotiated HTTP version; HTTP/1.1 if no version was negotiated. */
final class HttpNegotiation extends ApplicationProtocolNegotiationHandler {

    private final StreamConnection connection;

    HttpNegotiation(StreamConnection connection) {
        super(ApplicationProtocolNames.HTTP_1_1);
        this.connection = connection;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
        if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
            ctx.pipeline().addLast(new Http2Codec(connection).build());
            return;
        }
        HttpDecoderConfig limits = new HttpDecoderConfig()
                .setMaxInitialLineLength(DohRequest.MAX_HEADER_BYTES)
                .setMaxHeaderSize(DohRequest.MAX_HEADER_BYTES)
                .setMaxChunkSize(DohRequest.MAX_BODY_BYTES);
        ctx.pipeline()
                .addLast(
                        new RequestStartDetector(connection),
                        new HttpServerCodec(limits),
                        new Http1Requests(connection));
    }

    /** Closes the channel; the connection counts the failure. */
    @Override
    protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.recordError(cause);
        ctx.close();
    }
}
