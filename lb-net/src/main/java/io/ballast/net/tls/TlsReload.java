package io.ballast.net.tls;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks once a second whether files have changed, on a thread of its own: file systems can be slow. */
public final class TlsReload implements AutoCloseable {

    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("tls-reload", /* daemon= */ true));

    private TlsReload() {}

    /** Begins to look at the files of these. */
    public static TlsReload start(List<TlsContext> contexts) {
        TlsReload reload = new TlsReload();
        List<TlsContext> all = List.copyOf(contexts);
        reload.executor.scheduleWithFixedDelay(() -> all.forEach(TlsContext::refresh), 1, 1, TimeUnit.SECONDS);
        return reload;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
