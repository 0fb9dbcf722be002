package io.ballast.net.tls;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks files for changes once a second, on its own thread because file systems can be slow. The thread
 * starts when the first files to watch are added.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class TlsReload implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TlsReload.class);

    private static final int MAX_WAIT_SECONDS = 1;

    private volatile List<WatchedTls> watched = List.of();
    private @Nullable ScheduledExecutorService executor;
    private boolean closed;

    /** Starts to watch the files of {@code watched}. */
    public static TlsReload start(List<? extends WatchedTls> watched) {
        TlsReload reload = new TlsReload();
        reload.watch(watched);
        return reload;
    }

    /** Replaces the watched files with those of {@code next}, after the current check has finished. */
    public synchronized void watch(List<? extends WatchedTls> next) {
        watched = List.copyOf(next);
        if (executor == null && !closed && !watched.isEmpty()) {
            executor = Executors.newSingleThreadScheduledExecutor(
                    new DefaultThreadFactory("tls-reload", /* daemon= */ true));
            executor.scheduleWithFixedDelay(() -> watched.forEach(TlsReload::refresh), 1, 1, TimeUnit.SECONDS);
        }
    }

    /**
     * Closes {@code former}, which is no longer watched, after the current check has finished. Returns
     * immediately.
     */
    public synchronized void closeLater(WatchedTls former) {
        if (executor == null || closed) {
            former.close();
        } else {
            executor.execute(former::close);
        }
    }

    /** Refreshes one set of TLS files. Logs exceptions, so that the periodic checks of all files continue. */
    private static void refresh(WatchedTls watched) {
        try {
            watched.refresh();
        } catch (RuntimeException e) {
            LOG.error("msg=\"cannot check TLS files for changes\"", e);
        }
    }

    /**
     * Stops checking, and waits up to {@value #MAX_WAIT_SECONDS} s for the current check without interrupting it. The
     * caller closes the watched objects.
     */
    @Override
    public synchronized void close() {
        closed = true;
        if (executor == null) {
            return;
        }
        executor.shutdown();
        try {
            if (!executor.awaitTermination(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("msg=\"the file system does not respond; stopped waiting for TLS files\"");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
