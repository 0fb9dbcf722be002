package io.ballast.http.check;

import io.ballast.core.health.FirstResult;
import io.ballast.http.net.ConnectErrors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Base class for checks that use the protocol of a well-known service. Subclasses parse received messages and send the
 * next messages. This class buffers and limits received data, and closes the connection. {@link SocketProbe} sets the
 * deadline. Event-loop confined.
 */
abstract class ServiceCheck extends ChannelInboundHandlerAdapter {

    /** Maximum number of bytes received before the verdict; a backend that sends more uses another protocol. */
    static final int MAX_RECEIVED = 16 * 1024;

    /** Starts TLS on a connection that began without it. */
    @FunctionalInterface
    interface TlsStart {

        /**
         * Inserts a TLS handler before all other handlers and performs the handshake. If the handshake fails, the
         * check reports this failure as its result; otherwise {@code then} is called.
         */
        void begin(Runnable then);
    }

    private final Channel channel;
    private final FirstResult verdict;
    private final ByteBuf received = Unpooled.buffer();
    private int bytes;
    private boolean done;
    private @Nullable CheckConnectionClose end;

    ServiceCheck(Channel channel, FirstResult verdict) {
        this.channel = channel;
        this.verdict = verdict;
    }

    /**
     * Consumes the next message from the received data, or nothing if the message is incomplete. Called again
     * until it consumes nothing or the check is done.
     *
     * @param received the received data, which remains owned by the caller
     */
    abstract void read(ByteBuf received);

    /** Adds this handler to the pipeline. */
    final void begin() {
        channel.pipeline().addLast(this);
    }

    /** Sends a message and releases its buffer. */
    final void send(ByteBuf message) {
        channel.writeAndFlush(message).addListener(sent -> {
            if (!sent.isSuccess() && !done) {
                failed(ConnectErrors.text(sent.cause()));
            }
        });
    }

    /** Returns a buffer for {@link #send}. */
    final ByteBuf buffer() {
        return channel.alloc().buffer();
    }

    /** Reports success for a protocol without a closing message; half-closes the connection. */
    final void passed(String text) {
        done = true;
        verdict.passed(text);
        end = CheckConnectionClose.halfClose(channel);
    }

    /**
     * Reports success.
     *
     * @param lastBytes the message after which the backend closes the connection; the method releases it
     */
    final void passed(String text, ByteBuf lastBytes) {
        done = true;
        verdict.passed(text);
        channel.writeAndFlush(lastBytes, channel.voidPromise());
        end = CheckConnectionClose.awaitClose(channel);
    }

    /** Reports a failure and half-closes the connection. */
    final void failed(String reason) {
        done = true;
        verdict.failed(reason);
        end = CheckConnectionClose.halfClose(channel);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf data = (ByteBuf) message;
        try {
            if (end != null) {
                end.dropped(data.readableBytes());
                return;
            }
            bytes += data.readableBytes();
            if (bytes > MAX_RECEIVED) {
                failed("received more than " + MAX_RECEIVED / 1024 + " KiB without a result");
                return;
            }
            received.writeBytes(data);
        } finally {
            data.release();
        }
        readAll();
    }

    private void readAll() {
        int before;
        do {
            before = received.readerIndex();
            read(received);
        } while (!done && received.readerIndex() > before && received.isReadable());
        received.discardSomeReadBytes();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!done) {
            failed(bytes == 0 ? "connection closed without an answer" : "connection closed during the answer");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!done) {
            failed(ConnectErrors.text(cause));
        }
    }
}
