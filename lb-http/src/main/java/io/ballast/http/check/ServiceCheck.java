package io.ballast.http.check;

import io.ballast.core.health.Verdict;
import io.ballast.http.net.ConnectCause;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with a backend in the protocol of a well-known service. Subclasses read messages and say what comes next; this
 * class holds what was received, its bound, and the end of the connection. The deadline is that of {@link SocketProbe}. Event-loop
 * confined.
 */
abstract class ServiceCheck extends ChannelInboundHandlerAdapter {

    /** A backend that sends more before the verdict speaks another protocol. */
    static final int MOST_RECEIVED = 16 * 1024;

    /** Begins TLS on a connection that has begun without. */
    @FunctionalInterface
    interface TlsStart {

        /** Makes the handshake in front of all handlers. A failure is a verdict; after a success {@code then} is called. */
        void begin(Runnable then);
    }

    private final Channel channel;
    private final Verdict verdict;
    private final ByteBuf received = Unpooled.buffer();
    private int bytes;
    private boolean done;
    private @Nullable OrderlyEnd end;

    ServiceCheck(Channel channel, Verdict verdict) {
        this.channel = channel;
        this.verdict = verdict;
    }

    /**
     * Takes the next message from what was received, and nothing if it is not whole. Called again as long as it takes something and
     * the check goes on.
     *
     * @param received borrowed
     */
    abstract void read(ByteBuf received);

    /** Starts to listen. */
    final void begin() {
        channel.pipeline().addLast(this);
    }

    /** Sends a message, whose buffer it consumes. */
    final void send(ByteBuf message) {
        channel.writeAndFlush(message).addListener(sent -> {
            if (!sent.isSuccess() && !done) {
                failed(ConnectCause.text(sent.cause()));
            }
        });
    }

    /** Returns a buffer for {@link #send}. */
    final ByteBuf buffer() {
        return channel.alloc().buffer();
    }

    /** The backend is up, and does not expect to be told goodbye: the connection is closed from our side. */
    final void passed(String text) {
        done = true;
        verdict.passed(text);
        end = OrderlyEnd.leave(channel);
    }

    /**
     * The backend is up.
     *
     * @param farewell the message after which the backend closes the connection; consumed
     */
    final void passed(String text, ByteBuf farewell) {
        done = true;
        verdict.passed(text);
        channel.writeAndFlush(farewell, channel.voidPromise());
        end = OrderlyEnd.begin(channel);
    }

    /** The backend is down; the connection is closed. */
    final void failed(String reason) {
        done = true;
        verdict.failed(reason);
        end = OrderlyEnd.leave(channel);
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
            if (bytes > MOST_RECEIVED) {
                failed("more than " + MOST_RECEIVED / 1024 + " KiB before it is known whether it is up");
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
            failed(bytes == 0 ? "connection closed without an answer" : "connection closed within the answer");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!done) {
            failed(ConnectCause.text(cause));
        }
    }
}
