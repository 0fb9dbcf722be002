package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.core.stats.Counters;
import io.ballast.dns.wire.Wire;
import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.DatagramChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State that all upstream sockets of an event loop share: clock, settings, random numbers, counters and a
 * buffer. It also collects the queries that one event causes, and flushes each socket once for all of them.
 *
 * <p>Event-loop confined.
 */
final class UpstreamLoop {

    /** The interval between attempts to open a socket while no file descriptor is free and other sockets are open. */
    static final Duration DESCRIPTOR_RETRY = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamLoop.class);

    private final FrontendLoop frontendLoop;
    private final NettyTransport transport;
    private final ChannelFactory<? extends DatagramChannel> udpSockets;
    private final UnpredictableNumbers random;
    private final Counters.Shard<UpstreamCounter> shard;
    private final byte[] receiveBuffer = new byte[Wire.MAX_MESSAGE_BYTES];
    private final ArrayDeque<Attempt> sendQueue = new ArrayDeque<>();
    private final List<UpstreamChannel> flushQueue = new ArrayList<>();
    private final long hashKey;
    private UpstreamSettings settings;
    /** Whether the last attempt to open a socket found no free file descriptor. */
    private boolean isShortOfDescriptors;

    private long shortSinceNanos;
    private int outstandingCount;
    private boolean scheduled;
    private boolean isErrorLogged;

    /** @param udpSockets factory of UDP sockets */
    UpstreamLoop(
            FrontendLoop frontendLoop,
            NettyTransport transport,
            ChannelFactory<? extends DatagramChannel> udpSockets,
            UpstreamSettings settings,
            Counters.Shard<UpstreamCounter> shard,
            UnpredictableNumbers random) {
        this.frontendLoop = frontendLoop;
        this.transport = transport;
        this.udpSockets = udpSockets;
        this.settings = settings;
        this.shard = shard;
        this.random = random;
        long bits = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            bits = bits << Byte.SIZE | random.nextU8();
        }
        this.hashKey = bits;
    }

    FrontendLoop frontendLoop() {
        return frontendLoop;
    }

    NettyTransport transport() {
        return transport;
    }

    UnpredictableNumbers random() {
        return random;
    }

    ChannelFactory<? extends DatagramChannel> udpSockets() {
        return udpSockets;
    }

    /** A random key for hashes that clients must not predict. */
    long hashKey() {
        return hashKey;
    }

    UpstreamSettings settings() {
        return settings;
    }

    void settings(UpstreamSettings next) {
        settings = next;
    }

    /**
     * Whether the process recently had no file descriptor for a new socket, so that queries should use open sockets.
     */
    boolean isShortOfDescriptors() {
        return isShortOfDescriptors && frontendLoop.now() - shortSinceNanos < DESCRIPTOR_RETRY.toNanos();
    }

    /**
     * Opens a socket. If there is no file descriptor for it, frees the reserve of the process and tries once more.
     * Returns null if no descriptor is free even then, or if {@code opener} returns null.
     */
    <C extends UpstreamChannel> @Nullable C open(Backend backend, Supplier<@Nullable C> opener) {
        C first = opener.get();
        if (first == null || !first.lacksDescriptor()) {
            isShortOfDescriptors = false;
            return first;
        }
        C second = FileDescriptorReserve.ofProcess().releaseReserve("connect to " + backend) ? opener.get() : null;
        isShortOfDescriptors = second == null || second.lacksDescriptor();
        shortSinceNanos = frontendLoop.now();
        return isShortOfDescriptors ? null : second;
    }

    void count(UpstreamCounter counter) {
        shard.increment(counter);
    }

    /** Counts an unexpected exception. The first one is logged. */
    void reportError(Throwable cause) {
        count(UpstreamCounter.ERRORS);
        if (!isErrorLogged) {
            isErrorLogged = true;
            LOG.error("msg=\"internal error in queries to resolvers; further errors are only counted\"", cause);
        }
    }

    /**
     * Copies a borrowed message to the receive buffer, where it stays until the next message; returns its length.
     */
    int receive(ByteBuf message) {
        frontendLoop.readClock();
        int length = Math.min(message.readableBytes(), receiveBuffer.length);
        message.getBytes(message.readerIndex(), receiveBuffer, 0, length);
        return length;
    }

    /** Returns the receive buffer, which starts with the last received message. */
    byte[] receiveBuffer() {
        return receiveBuffer;
    }

    /** The number of running attempts. */
    int outstandingCount() {
        return outstandingCount;
    }

    void onAttemptStarted() {
        outstandingCount++;
    }

    void onAttemptEnded() {
        outstandingCount--;
    }

    /** Fails the queued attempts, which are then not sent. */
    void close() {
        for (int remaining = sendQueue.size(); remaining > 0; remaining--) {
            sendQueue.remove().fail(AttemptFailure.CLOSED);
        }
    }

    /** Queues an attempt; it is sent when the event loop has processed the current event. */
    void sendLater(Attempt attempt) {
        sendQueue.add(attempt);
        scheduleBatch();
    }

    /** Flushes a channel at the end of the current event. */
    void flushLater(UpstreamChannel channel) {
        flushQueue.add(channel);
        scheduleBatch();
    }

    private void scheduleBatch() {
        if (!scheduled) {
            scheduled = true;
            frontendLoop.eventLoop().execute(this::processBatch);
        }
    }

    private void processBatch() {
        scheduled = false;
        // Queries that are added while this loop runs are sent when this method is scheduled again.
        for (int remaining = sendQueue.size(); remaining > 0 && !sendQueue.isEmpty(); remaining--) {
            sendQueue.remove().send();
        }
        List<UpstreamChannel> channels = List.copyOf(flushQueue);
        flushQueue.clear();
        channels.forEach(UpstreamChannel::flush);
    }
}
