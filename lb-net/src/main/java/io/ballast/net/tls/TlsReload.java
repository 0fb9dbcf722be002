package io.ballast.net.tls;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks once a second whether files have changed, on a thread of its own: file systems can be slow.
 *
 * <p>Thread safety: one thread at a time starts, changes and closes.
 */
public final class TlsReload implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TlsReload.class);

    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("tls-reload", /* daemon= */ true));

    private volatile List<WatchedTls> watched;

    private TlsReload(List<? extends WatchedTls> watched) {
        this.watched = List.copyOf(watched);
    }

    /** Begins to look at the files of these. */
    public static TlsReload start(List<? extends WatchedTls> watched) {
        TlsReload reload = new TlsReload(watched);
        reload.executor.scheduleWithFixedDelay(
                () -> reload.watched.forEach(TlsReload::refresh), 1, 1, TimeUnit.SECONDS);
        return reload;
    }

    /** Looks at the files of these instead from now on, once it is done with those that it looks at now. */
    public void watch(List<? extends WatchedTls> next) {
        watched = List.copyOf(next);
    }

    /** Runs {@code task} when nothing is looked at that is not watched any more; does not wait for it. */
    public void whenForgotten(Runnable task) {
        executor.execute(task);
    }

    /** Whatever one of them throws, the others are looked at, and it is looked at again. */
    private static void refresh(WatchedTls watched) {
        try {
            watched.refresh();
        } catch (RuntimeException e) {
            LOG.error("msg=\"TLS files could not be looked at\"", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
