package io.ballast.net.tls;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/** Serves a client that sends HTTP without TLS where TLS is spoken. */
@FunctionalInterface
public interface PlainHttp {

    /** What such a client is told. */
    String TEXT = "plain HTTP was sent to a port that speaks HTTPS; use https://";

    /** Tells any client the same and closes the connection. */
    PlainHttp REFUSAL = context -> {
        String body = TEXT + "\n";
        String response = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + body.length() + "\r\nConnection: close\r\n\r\n" + body;
        context.writeAndFlush(
                        ByteBufUtil.encodeString(context.alloc(), CharBuffer.wrap(response), StandardCharsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE);
        return false;
    };

    /**
     * Takes the connection over; called once, on its event loop, before what was received is passed on.
     *
     * @param context of the handler that noticed
     * @return whether the handlers behind get what the client sends; else it is dropped
     */
    boolean serve(ChannelHandlerContext context);
}
