package io.ballast.http.net;

import io.ballast.core.Checks;
import io.ballast.net.budget.TransitBudget;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The event loops of the process, each with its {@link Worker}. */
public final class Workers implements AutoCloseable {

    private static final int PAGE_BYTES = 8192;
    /** Chunks of 8 KiB x 2^7 = 1 MiB: small enough that an idle process stays small. */
    private static final int CHUNK_ORDER = 7;

    private final MultiThreadIoEventLoopGroup group;
    private final List<Worker> workers;
    private final NettyTransport transport;
    private final PooledByteBufAllocator allocator;
    private final TransitBudget transit;

    private Workers(
            MultiThreadIoEventLoopGroup group,
            List<Worker> workers,
            NettyTransport transport,
            PooledByteBufAllocator allocator,
            TransitBudget transit) {
        this.group = group;
        this.workers = List.copyOf(workers);
        this.transport = transport;
        this.allocator = allocator;
        this.transit = transit;
    }

    /** Starts {@code count} event loops. */
    public static Workers start(NettyTransport transport, int count, SplittableRandom seed) {
        return start(transport, count, seed, TransitBudget::of);
    }

    /** Starts {@code count} event loops, whose octets in transit take {@code transitBytes} at most. */
    public static Workers start(NettyTransport transport, int count, SplittableRandom seed, long transitBytes) {
        return start(transport, count, seed, allocator -> TransitBudget.of(allocator, transitBytes));
    }

    private static Workers start(
            NettyTransport transport,
            int count,
            SplittableRandom seed,
            Function<PooledByteBufAllocator, TransitBudget> budget) {
        Checks.positive(count, "count");
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
                count,
                new DefaultThreadFactory("worker", /* daemon= */ true),
                transport.ioHandler().get());
        PooledByteBufAllocator allocator = new PooledByteBufAllocator(
                /* preferDirect= */ true,
                /* nHeapArena= */ 0,
                /* nDirectArena= */ count,
                PAGE_BYTES,
                CHUNK_ORDER,
                PooledByteBufAllocator.defaultSmallCacheSize(),
                PooledByteBufAllocator.defaultNormalCacheSize(),
                /* useCacheForAllThreads= */ false);
        TransitBudget transit = budget.apply(allocator);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TransitShare share = new TransitShare(transit, count);
            workers.add(new Worker(i, group.next(), transport, allocator, share, seed.split()));
        }
        return new Workers(group, workers, transport, allocator, transit);
    }

    public List<Worker> all() {
        return workers;
    }

    public NettyTransport transport() {
        return transport;
    }

    public ByteBufAllocator allocator() {
        return allocator;
    }

    /** What the octets in transit may take, over all event loops. */
    public TransitBudget transit() {
        return transit;
    }

    /** All event loops, as Netty's server bootstrap wants them. */
    public EventLoopGroup group() {
        return group;
    }

    /** Bytes of memory outside the heap that the buffer pool holds, used or not. */
    public long pooledBytes() {
        return allocator.metric().usedDirectMemory();
    }

    /** The worker whose event loop this is. */
    public Worker of(EventLoop loop) {
        for (Worker worker : workers) {
            if (worker.loop() == loop) {
                return worker;
            }
        }
        throw new IllegalArgumentException("loop: " + loop + " (expected: one of ours)");
    }

    /** Stops the event loops and closes what is still open. Waits for at most five seconds. */
    @Override
    public void close() {
        workers.forEach(worker -> worker.heartbeat().stop());
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
