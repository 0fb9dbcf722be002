package io.ballast.dns.net;

import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.stats.DnsCounter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers the datagrams of one socket. Responses to a batch of datagrams are flushed together after the batch
 * has been read. Deferred responses are flushed together by a task that runs after the event loop's queued
 * tasks.
 */
final class UdpHandler extends ChannelInboundHandlerAdapter implements Deferral {

    /**
     * Interval between checks for more datagrams while a closing socket drains; the event loop polls its sockets
     * at least once in this time.
     */
    private static final long DRAIN_MILLIS = 5;

    /**
     * Maximum number of checks for more datagrams while a closing socket drains: about one second in total.
     * Later datagrams are dropped.
     */
    private static final int MAX_DRAINS = 200;

    private final AnswerLoop loop;
    private @Nullable ChannelHandlerContext context;
    private @Nullable DeferredFlush lateFlush;
    /** The sender of the current datagram. */
    private @Nullable InetSocketAddress currentClient;
    /** The number of deferred replies. */
    private int deferredCount;

    private boolean hasRead;
    /** Whether a batch is being read; {@code readNanos} is the time at which the batch started. */
    private boolean reading;

    private long readNanos;

    UdpHandler(AnswerLoop loop) {
        this.loop = loop;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        lateFlush = new DeferredFlush(ctx.channel());
    }

    /** Consumes the datagram before it returns: its content is a slice of the whole batch. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        if (!reading) {
            reading = true;
            readNanos = loop.readClock();
        }
        try {
            ByteBuf content = packet.content();
            InetSocketAddress sender = packet.sender();
            currentClient = sender;
            AnswerResult result = loop.answer(
                    content,
                    content.readableBytes(),
                    sender.getAddress(),
                    sender.getPort(),
                    readNanos,
                    Transport.UDP,
                    this);
            if (result == AnswerResult.RESPONSE) {
                reply(ctx, sender, loop.response(), loop.responseLength());
            }
        } finally {
            packet.release();
        }
    }

    @Override
    public ReplyPath defer() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context, "the handler is not in a pipeline");
        InetSocketAddress client = Objects.requireNonNull(currentClient, "no current datagram");
        deferredCount++;
        return new DeferredReply(ctx.channel().eventLoop()) {
            @Override
            protected void writeResponse(byte[] message) {
                sendDeferredReply(ctx, client, message);
            }
        };
    }

    private void sendDeferredReply(ChannelHandlerContext ctx, InetSocketAddress client, byte[] message) {
        deferredCount--;
        if (!ctx.channel().isOpen()) {
            loop.count(DnsCounter.DROPPED);
            return;
        }
        if (!ctx.channel().isWritable()) {
            ctx.flush(); // the output buffer of the channel is full; a flush frees space
        }
        reply(ctx, client, message, message.length);
        Objects.requireNonNull(lateFlush, "the handler is not in a pipeline").schedule();
    }

    /**
     * Answers the queries that are still in the socket, and closes it when no more queries arrive. Any thread may
     * call it, once.
     */
    void drain(Channel channel) {
        channel.eventLoop().execute(() -> closeWhenQuiet(channel, MAX_DRAINS));
    }

    /**
     * Stops reading, and closes the socket after the deferred answers have been sent. Any thread may call it, once.
     */
    void closeAfterDeferredReplies(Channel channel) {
        channel.config().setAutoRead(false);
        channel.eventLoop().execute(() -> closeWhenAnswered(channel, MAX_DRAINS));
    }

    private void closeWhenQuiet(Channel channel, int looks) {
        boolean quiet = looks < MAX_DRAINS && !hasRead && deferredCount == 0;
        if (quiet || looks == 0) {
            close(channel);
            return;
        }
        hasRead = false;
        channel.eventLoop().schedule(() -> closeWhenQuiet(channel, looks - 1), DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void closeWhenAnswered(Channel channel, int looks) {
        if (deferredCount == 0 || looks == 0) {
            close(channel);
            return;
        }
        channel.eventLoop().schedule(() -> closeWhenAnswered(channel, looks - 1), DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void close(Channel channel) {
        channel.flush();
        channel.close();
    }

    private void reply(ChannelHandlerContext ctx, InetSocketAddress client, byte[] response, int length) {
        // If the socket is not writable, the response is dropped, so that responses do not accumulate in memory.
        if (!ctx.channel().isWritable()) {
            loop.count(DnsCounter.DROPPED);
            return;
        }
        ByteBuf content = ctx.alloc().directBuffer(length).writeBytes(response, 0, length);
        ctx.write(new DatagramPacket(content, client), ctx.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        hasRead = true;
        reading = false;
        ctx.flush();
        Batching.yieldCpu();
    }

    /** The socket stays open after errors: an unreachable client must not affect other clients. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            loop.count(DnsCounter.DROPPED);
        }
        loop.recordError(cause);
    }
}
