package io.ballast.net.tls;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/** Handles a client that sends HTTP without TLS to a TLS port. */
@FunctionalInterface
public interface PlainHttpHandler {

    /** The error message for a client that sends plain HTTP. */
    String ERROR_MESSAGE = "plain HTTP was sent to a port that speaks HTTPS; use https://";

    /** Sends status 400 with {@link #ERROR_MESSAGE} and closes the connection. */
    PlainHttpHandler REFUSAL = context -> {
        String body = ERROR_MESSAGE + "\n";
        String response = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + body.length() + "\r\nConnection: close\r\n\r\n" + body;
        context.writeAndFlush(
                        ByteBufUtil.encodeString(context.alloc(), CharBuffer.wrap(response), StandardCharsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE);
        return false;
    };

    /**
     * Takes over the connection; called once, on its event loop, before the received data is passed on.
     *
     * @param context the context of the handler that detected plain HTTP
     * @return whether the following handlers get the client's data; otherwise it is dropped
     */
    boolean serve(ChannelHandlerContext context);
}
