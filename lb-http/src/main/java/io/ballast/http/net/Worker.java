package io.ballast.http.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.background.BackgroundClient;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.budget.ConnectionShedding;
import io.ballast.net.budget.ReadLimiter;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.SplittableRandom;

/**
 * One event loop and its resources. All methods except the accessors are confined to that loop. Its clock is read at
 * the beginning of every read from a socket, and at every tick.
 */
public final class Worker extends FrontendLoop {

    private final int index;
    private final NettyTransport transport;
    private final ByteBufAllocator allocator;
    private final HttpDate date = new HttpDate();
    private final SplittableRandom random;
    private final TransitShare transit;
    private final ReadLimiter readLimiter;
    private final ConnectionShedding shedding;
    private final LongLivedSessions sessions;
    private final DescriptorQueue descriptors = new DescriptorQueue(this);
    private BackgroundClient background = BackgroundClient.REFUSING;

    Worker(
            int index,
            EventLoop eventLoop,
            Heartbeat heartbeat,
            NettyTransport transport,
            ByteBufAllocator allocator,
            TransitShare transit,
            SplittableRandom random) {
        super(eventLoop, heartbeat);
        this.index = index;
        this.transport = transport;
        this.allocator = allocator;
        this.random = random;
        this.transit = transit;
        this.readLimiter = new ReadLimiter(eventLoop, transit);
        this.shedding = new ConnectionShedding(transit);
        this.sessions = new LongLivedSessions(eventLoop);
    }

    /** The index of the worker, and of its shards in counters. */
    public int index() {
        return index;
    }

    public NettyTransport transport() {
        return transport;
    }

    public ByteBufAllocator allocator() {
        return allocator;
    }

    public SplittableRandom random() {
        return random;
    }

    /** This loop's share of the memory budget: it limits how many bytes the loop's connections may buffer. */
    public TransitShare transit() {
        return transit;
    }

    /** Creates the buffer allocator for reads of one connection. */
    public BudgetedRecvByteBufAllocator newReadAllocator() {
        return new BudgetedRecvByteBufAllocator(
                transit, readLimiter, /* takenInAdvance= */ transport.kind() == TransportKind.IO_URING);
    }

    /**
     * Returns the buffer allocator for reads of a client's channel; all callers get the same one. Must be called before
     * the channel reads anything, because Netty fetches it only once.
     */
    public BudgetedRecvByteBufAllocator readAllocatorOf(Channel channel) {
        if (channel.config().getRecvByteBufAllocator() instanceof BudgetedRecvByteBufAllocator given) {
            return given;
        }
        BudgetedRecvByteBufAllocator reads = newReadAllocator();
        channel.config().setRecvByteBufAllocator(reads);
        return reads;
    }

    /** Returns the object that closes connections of this loop when they hold too much memory together. */
    public ConnectionShedding shedding() {
        return shedding;
    }

    /** The long-lived sessions on this loop. */
    public LongLivedSessions sessions() {
        return sessions;
    }

    /** The connects of this loop that wait for a file descriptor. */
    public DescriptorQueue descriptors() {
        return descriptors;
    }

    /** The client that sends background requests to pools. */
    public BackgroundClient background() {
        return background;
    }

    /** Sets the client for background requests. Called once, before this loop serves clients. */
    public void background(BackgroundClient client) {
        background = client;
    }

    /** The value of a {@code Date} header, at most one tick of the event loop old. */
    public byte[] date() {
        return date.bytes();
    }

    /** The current time in UTC in RFC 3339 format, in whole seconds, at most a tick old. */
    public byte[] time() {
        return date.rfc3339();
    }

    /** The current time in milliseconds since 1970. */
    public long timeMillis() {
        return System.currentTimeMillis();
    }

    /** Formats a time, in seconds since 1970, in RFC 3339 format in UTC. */
    public byte[] time(long second) {
        return date.rfc3339(second);
    }

    @Override
    protected void onTick() {
        shedding.tick();
        date.refresh(System.currentTimeMillis());
    }
}
