package io.ballast.http.serving;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h1.wire.Buffers;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.budget.OutputMarks;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.tls.TlsEnd;
import io.ballast.net.transport.PeerState;
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

/** The way out to a client, and the ways to end it. Event-loop confined. */
public final class ClientOutput implements ResponseOutput {

    private static final int MOST_DISCARDED_BYTES = 1024 * 1024;

    private final Channel channel;
    private final OutputMarks marks;
    private final Counters.Shard<ListenerCounter> counters;
    /** Null if the connection is none of TLS. */
    private final @Nullable SslHandler tls;

    private long taken;
    private long marked;
    private int discarded;

    public ClientOutput(Channel channel, TransitShare transit, Counters.Shard<ListenerCounter> counters) {
        this.channel = channel;
        this.marks = new OutputMarks(channel, transit);
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
        write(channel.alloc().directBuffer(body.length).writeBytes(body)); // which goes out, or stops the client
    }

    @Override
    public long queuedBytes() {
        return marks.writtenBytes();
    }

    /** How many octets the system has taken since the connection began. Never falls. */
    public long takenBytes() {
        taken = Math.max(taken, marks.writtenBytes() - pendingBytes()); // encryption makes more of what is pending
        return taken;
    }

    @Override
    public void flush() {
        channel.flush();
    }

    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Stops or resumes reading from the client. */
    public void reading(boolean on) {
        BudgetedReads.reading(channel, on);
    }

    /** From now on the client's end of sending does not end the connection. */
    public void halfClosure() {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    /** Closes at once; with TLS without a goodbye, so that the client sees that what it got is not whole. */
    public void close() {
        if (tls == null) {
            channel.close();
        } else {
            TlsEnd.cut(channel);
        }
    }

    /**
     * Closes in the middle of a response.
     *
     * @param visibly with a reset, because to this client the end of the connection would be the end of the response
     */
    public void cut(boolean visibly) {
        if (visibly) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        close();
    }

    /** Whether the client has closed its side, as far as the system tells. */
    public boolean hasClientFinished() {
        return PeerState.hasFinished(channel);
    }

    /** Remembers how much is still to be sent. */
    void markProgress() {
        marked = pendingBytes();
    }

    /** Whether the client has taken in some, but not all, of what was to be sent when it was marked. */
    boolean hasProgressed() {
        long pending = pendingBytes();
        return pending > 0 && pending < marked;
    }

    /** How much was handed over and not taken by the system yet. */
    public long pendingBytes() {
        return Buffers.pendingBytes(channel);
    }

    /** Throws away what a client sends after its last response, up to a bound; consumes {@code received}. */
    public void discard(ByteBuf received) {
        discarded += received.readableBytes();
        received.release();
        if (discarded > MOST_DISCARDED_BYTES) {
            close();
        }
    }

    /** Flushes and closes once everything is out. */
    public void closeWhenFlushed() {
        flushAll().addListener(flushed -> {
            if (tls == null || !flushed.isSuccess()) {
                close();
            } else {
                tls.closeOutbound().addListener(said -> close());
            }
        });
    }

    /** Flushes and, once everything is out, tells the client that no more will come; then runs {@code next}. */
    public void shutDownWhenFlushed(Runnable next) {
        flushAll().addListener(flushed -> {
            if (!flushed.isSuccess()) {
                close();
            } else if (tls == null) {
                shutDown(next);
            } else {
                // First: while the goodbye is on its way, TLS would take what comes for the end of the connection.
                discardEncrypted(tls);
                tls.closeOutbound().addListener(said -> {
                    if (said.isSuccess()) {
                        shutDown(next);
                    } else {
                        close();
                    }
                });
            }
        });
    }

    /** What still comes is not worth being decrypted. */
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
