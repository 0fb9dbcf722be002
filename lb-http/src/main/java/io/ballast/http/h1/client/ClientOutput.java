package io.ballast.http.h1.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h1.wire.Buffers;
import io.ballast.net.budget.OutputMarks;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.transport.PeerState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;

/** The way out to a client, and the ways to end it. Event-loop confined. */
final class ClientOutput {

    private static final int MOST_DISCARDED_BYTES = 1024 * 1024;

    private final Channel channel;
    private final OutputMarks marks;
    private final Counters.Shard<ListenerCounter> counters;
    private long marked;
    private int discarded;

    ClientOutput(Channel channel, TransitShare transit, Counters.Shard<ListenerCounter> counters) {
        this.channel = channel;
        this.marks = new OutputMarks(channel, transit);
        this.counters = counters;
    }

    /** Queues {@code data}; consumes it. */
    void write(ByteBuf data) {
        marks.beforeWrite(data.readableBytes());
        counters.add(ListenerCounter.BYTES_OUT, data.readableBytes());
        channel.write(data, channel.voidPromise());
    }

    /** How many octets were queued since the connection began. */
    long queuedBytes() {
        return marks.writtenBytes();
    }

    /** How many octets the system has taken since the connection began. */
    long takenBytes() {
        return marks.writtenBytes() - pendingBytes();
    }

    void flush() {
        channel.flush();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    /** Stops or resumes reading from the client. */
    void reading(boolean on) {
        if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    void close() {
        channel.close();
    }

    /**
     * Closes in the middle of a response.
     *
     * @param visibly with a reset, because to this client the end of the connection would be the end of the response
     */
    void cut(boolean visibly) {
        if (visibly) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        close();
    }

    /** Whether the client has closed its side, as far as the system tells. */
    boolean hasClientFinished() {
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
    long pendingBytes() {
        return Buffers.pendingBytes(channel);
    }

    /** Throws away what a client sends after its last response, up to a bound; consumes {@code received}. */
    void discard(ByteBuf received) {
        discarded += received.readableBytes();
        received.release();
        if (discarded > MOST_DISCARDED_BYTES) {
            close();
        }
    }

    /** Flushes and closes once everything is out. */
    void closeWhenFlushed() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> close());
    }

    /** Flushes and, once everything is out, tells the client that no more will come; then runs {@code next}. */
    void shutDownWhenFlushed(Runnable next) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> {
            if (flushed.isSuccess()) {
                ((DuplexChannel) channel).shutdownOutput();
                next.run();
            } else {
                close();
            }
        });
    }
}
