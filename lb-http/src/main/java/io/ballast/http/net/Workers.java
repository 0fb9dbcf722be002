package io.ballast.http.net;

import io.ballast.core.Checks;
import io.ballast.net.budget.TransitBudget;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loops of the process, each with its {@link Worker}. */
public final class Workers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private static final int PAGE_BYTES = 8192;
    /** The buffer pool uses chunks of 8 KiB x 2^7 = 1 MiB, so that an idle process uses little memory. */
    private static final int CHUNK_ORDER = 7;

    private final FrontendLoops<Worker> loops;
    private final PooledByteBufAllocator allocator;
    private final TransitBudget transit;

    private Workers(FrontendLoops<Worker> loops, PooledByteBufAllocator allocator, TransitBudget transit) {
        this.loops = loops;
        this.allocator = allocator;
        this.transit = transit;
    }

    /** Starts {@code count} event loops. */
    public static Workers start(NettyTransport transport, int count, SplittableRandom seed) {
        return start(transport, count, seed, TransitBudget::of);
    }

    /** Starts {@code count} event loops, which together hold at most {@code transitBytes} bytes in transit. */
    public static Workers start(NettyTransport transport, int count, SplittableRandom seed, long transitBytes) {
        return start(transport, count, seed, allocator -> TransitBudget.of(allocator, transitBytes));
    }

    private static Workers start(
            NettyTransport transport,
            int count,
            SplittableRandom seed,
            Function<PooledByteBufAllocator, TransitBudget> budget) {
        Checks.positive(count, "count");
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
        FrontendLoops<Worker> loops = FrontendLoops.start(
                transport,
                count,
                "worker",
                (index, eventLoop, heartbeat) -> new Worker(
                        index,
                        eventLoop,
                        heartbeat,
                        transport,
                        allocator,
                        new TransitShare(transit, count),
                        seed.split()));
        return new Workers(loops, allocator, transit);
    }

    /** The event loops. */
    public FrontendLoops<Worker> loops() {
        return loops;
    }

    public List<Worker> all() {
        return loops.all();
    }

    /**
     * The worker of an event loop.
     *
     * @throws IllegalStateException if there is none
     */
    public Worker of(EventLoop eventLoop) {
        for (Worker worker : all()) {
            if (worker.eventLoop() == eventLoop) {
                return worker;
            }
        }
        throw new IllegalStateException("the event loop has no worker");
    }

    /**
     * Runs {@code task} on each event loop. Returns a future that completes when all event loops have run it or have
     * ended. An exception of the task is logged.
     */
    public CompletableFuture<Void> onEach(Consumer<Worker> task) {
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (Worker worker : all()) {
            done.add(runOn(worker, task));
        }
        return CompletableFuture.allOf(done.toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Void> runOn(Worker worker, Consumer<Worker> task) {
        try {
            return CompletableFuture.runAsync(() -> run(worker, task), worker.eventLoop());
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null); // the loop has ended
        }
    }

    private static void run(Worker worker, Consumer<Worker> task) {
        try {
            task.accept(worker);
        } catch (RuntimeException e) {
            LOG.error("loop={} msg=\"task failed\"", worker.index(), e);
        }
    }

    public ByteBufAllocator allocator() {
        return allocator;
    }

    /** The budget for bytes in transit, over all event loops. */
    public TransitBudget transit() {
        return transit;
    }

    /** The number of bytes of direct memory that the buffer pool holds, including unused memory. */
    public long pooledBytes() {
        return allocator.metric().usedDirectMemory();
    }

    /** Closes the event loops: see {@link FrontendLoops#close}. */
    @Override
    public void close() {
        loops.close();
    }
}
