package io.ballast.bench;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs a benchmark on Netty event loop threads. Netty recycles the relay's buffer objects only on these threads, so
 * benchmarks on other threads do not show the relay's real allocations. With the options {@link #USE} and
 * {@link #CLASS}, JMH loads this class in its forked process.
 */
public final class EventLoopThreads extends ThreadPoolExecutor {

    public static final String USE = "-Djmh.executor=CUSTOM";
    public static final String CLASS = "-Djmh.executor.class=io.ballast.bench.EventLoopThreads";

    /** JMH calls this constructor by reflection. */
    public EventLoopThreads(int threads, String prefix) {
        super(
                threads,
                threads,
                /* keepAliveTime= */ 0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory(prefix, /* daemon= */ true));
    }
}
