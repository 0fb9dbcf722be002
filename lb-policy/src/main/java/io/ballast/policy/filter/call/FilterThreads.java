package io.ballast.policy.filter.call;

import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Creates the threads of filters, at most {@value #MAX_THREADS} in the process. This includes threads of replaced filters
 * whose calls do not end, so that reloads cannot accumulate threads.
 */
final class FilterThreads implements ThreadFactory {

    static final int MAX_THREADS = 512;

    private static final AtomicInteger LIVE = new AtomicInteger();

    private final String name;
    /** A weak reference, because this object may be reachable after the filter was closed. */
    private final WeakReference<ClassLoader> loader;

    /** @param loader the context class loader of the threads */
    FilterThreads(String name, ClassLoader loader) {
        this.name = name;
        this.loader = new WeakReference<>(loader);
    }

    /** Returns a new thread; null if there are too many, so that the call waits for another thread of its filter. */
    @Override
    public @Nullable Thread newThread(Runnable task) {
        if (LIVE.incrementAndGet() > MAX_THREADS) {
            LIVE.decrementAndGet();
            return null;
        }
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } finally {
                        LIVE.decrementAndGet();
                    }
                },
                "filter-" + name);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader.get());
        return thread;
    }
}
