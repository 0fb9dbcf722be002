package io.ballast.bench;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs a benchmark on threads like those of event loops: only on these does Netty recycle the buffer objects that the
 * relay takes and gives back, so only here do such benchmarks show what the relay allocates. JMH finds it by {@link
 * #USE} and {@link #CLASS}, in a fork.
 */
public final class EventLoopThreads extends ThreadPoolExecutor {

    public static final String USE = "-Djmh.executor=CUSTOM";
    public static final String CLASS = "-Djmh.executor.class=io.ballast.bench.EventLoopThreads";

    /** The constructor that JMH calls. */
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
