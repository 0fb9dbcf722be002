package io.ballast.http.serving;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h1.wire.Buffers;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.budget.OutputWatermarks;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.tls.TlsCloseHandler;
import io.ballast.net.transport.TcpSocketState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/** Writes to a client connection and closes it. Event-loop confined. */
public final class ClientOutput implements ResponseOutput {

    private static final int MAX_DISCARDED_BYTES = 1024 * 1024;

    private final Channel channel;
    private final OutputWatermarks marks;
    private final Counters.Shard<ListenerCounter> counters;
    /** The TLS handler; null without TLS. */
    private final @Nullable SslHandler tls;

    private long maxAcceptedBytes;
    private long marked;
    private int discarded;

    public ClientOutput(Channel channel, TransitShare transit, Counters.Shard<ListenerCounter> counters) {
        this.channel = channel;
        this.marks = new OutputWatermarks(channel, transit);
        this.counters = counters;
        this.tls = channel.pipeline().get(SslHandler.class);
    }

    @Override
    public void write(ByteBuf data) {
        marks.beforeWrite(data.readableBytes());
        counters.add(ListenerCounter.BYTES_OUT, data.readableBytes());
        channel.write(data, channel.voidPromise());
    }

    @Override
    public void write(ByteBuf head, byte[] body) {
        write(head);
        write(channel.alloc().directBuffer(body.length).writeBytes(body)); // backpressure limits the queued data
    }

    @Override
    public long queuedBytes() {
        return marks.writtenBytes();
    }

    /** The number of bytes accepted by the system since the connection began. Never decreases. */
    public long acceptedBytes() {
        maxAcceptedBytes = Math.max(
                maxAcceptedBytes, marks.writtenBytes() - pendingBytes()); // TLS overhead increases pendingBytes()
        return maxAcceptedBytes;
    }

    @Override
    public void flush() {
        channel.flush();
    }

    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Stops or resumes reading from the client. */
    public void setReading(boolean on) {
        BudgetedRecvByteBufAllocator.setReading(channel, on);
    }

    /** Keeps the connection open when the client ends its sending side. */
    public void allowHalfClosure() {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    /**
     * Closes the connection immediately. With TLS, sends no close_notify, so that the client detects the truncation.
     */
    public void close() {
        if (tls == null) {
            channel.close();
        } else {
            TlsCloseHandler.closeWithoutNotify(channel);
        }
    }

    /**
     * Closes the connection in the middle of a response.
     *
     * @param visibly whether to reset the connection, because this client would interpret a normal close as the
     *     end of the response
     */
    public void abort(boolean visibly) {
        if (visibly) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        close();
    }

    /** Whether the client has closed its sending side; false if the system cannot report this. */
    public boolean hasClientFinished() {
        return TcpSocketState.hasPeerClosed(channel);
    }

    /** Records the number of pending bytes. */
    void markProgress() {
        marked = pendingBytes();
    }

    /** Whether the client has read some, but not all, of the bytes that were pending when the mark was set. */
    boolean hasProgressed() {
        long pending = pendingBytes();
        return pending > 0 && pending < marked;
    }

    /**
     * The number of bytes that were written to this channel and that the operating system has not accepted yet.
     */
    public long pendingBytes() {
        return Buffers.pendingBytes(channel);
    }

    /** Discards data sent by a client after its last response, up to a limit; consumes {@code received}. */
    public void discard(ByteBuf received) {
        discarded += received.readableBytes();
        received.release();
        if (discarded > MAX_DISCARDED_BYTES) {
            close();
        }
    }

    /** Flushes, and closes once all output is sent. */
    public void closeWhenFlushed() {
        flushAll().addListener(flushed -> {
            if (tls == null || !flushed.isSuccess()) {
                close();
            } else {
                tls.closeOutbound().addListener(sent -> close());
            }
        });
    }

    /** Sends all output, then shuts down the sending direction, then runs {@code next}. */
    public void shutDownWhenFlushed(Runnable next) {
        flushAll().addListener(flushed -> {
            if (!flushed.isSuccess()) {
                close();
            } else if (tls == null) {
                shutDown(next);
            } else {
                // The TLS data is discarded first, because during close_notify the TLS handler would treat incoming
                // data as the end of the connection.
                discardEncrypted(tls);
                tls.closeOutbound().addListener(sent -> {
                    if (sent.isSuccess()) {
                        shutDown(next);
                    } else {
                        close();
                    }
                });
            }
        });
    }

    /** Discards further input without decrypting it. */
    private void discardEncrypted(SslHandler handler) {
        String name = channel.pipeline().context(handler).name();
        channel.pipeline()
                .addBefore(
                        name,
                        /* name= */ null,
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                discard((ByteBuf) message);
                            }
                        });
    }

    private ChannelFuture flushAll() {
        return channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
    }

    private void shutDown(Runnable next) {
        ((DuplexChannel) channel).shutdownOutput();
        next.run();
    }
}
