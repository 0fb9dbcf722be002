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
 * Looks once a second whether files have changed, on a thread of its own, which it has once there is something to look at:
 * file systems can be slow.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class TlsReload implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TlsReload.class);

    private static final int MOST_WAIT_SECONDS = 1;

    private volatile List<WatchedTls> watched = List.of();
    private @Nullable ScheduledExecutorService executor;
    private boolean closed;

    /** Begins to look at the files of these. */
    public static TlsReload start(List<? extends WatchedTls> watched) {
        TlsReload reload = new TlsReload();
        reload.watch(watched);
        return reload;
    }

    /** Looks at the files of these instead from now on, once it is done with those that it looks at now. */
    public synchronized void watch(List<? extends WatchedTls> next) {
        watched = List.copyOf(next);
        if (executor == null && !closed && !watched.isEmpty()) {
            executor = Executors.newSingleThreadScheduledExecutor(
                    new DefaultThreadFactory("tls-reload", /* daemon= */ true));
            executor.scheduleWithFixedDelay(() -> watched.forEach(TlsReload::refresh), 1, 1, TimeUnit.SECONDS);
        }
    }

    /** Closes what is not watched any more, once its files are not looked at; does not wait for that. */
    public synchronized void free(WatchedTls former) {
        if (executor == null || closed) {
            former.close();
        } else {
            executor.execute(former::close);
        }
    }

    /** Whatever one of them throws, the others are looked at, and it is looked at again. */
    private static void refresh(WatchedTls watched) {
        try {
            watched.refresh();
        } catch (RuntimeException e) {
            LOG.error("msg=\"TLS files could not be looked at\"", e);
        }
    }

    /**
     * Looks at nothing any more, and waits a moment for what it is at, without disturbing it. What was watched is for others to
     * close.
     */
    @Override
    public synchronized void close() {
        closed = true;
        if (executor == null) {
            return;
        }
        executor.shutdown();
        try {
            if (!executor.awaitTermination(MOST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("msg=\"the file system does not answer; TLS files are left\"");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
