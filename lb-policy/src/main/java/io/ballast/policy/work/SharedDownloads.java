package io.ballast.policy.work;

import io.ballast.net.fetch.CaFile;
import io.ballast.net.fetch.FetchClient;
import io.ballast.net.fetch.FetchClients;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The clients and the timer that all policies share for their downloads, such as keys and discovery documents. Thread
 * safety: any thread may call any method.
 */
public final class SharedDownloads implements AutoCloseable {

    private final FetchClients clients = new FetchClients();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            /* corePoolSize= */ 1, task -> {
                Thread thread = new Thread(task, "policy-downloads");
                thread.setDaemon(true);
                return thread;
            });

    public SharedDownloads() {
        timer.setRemoveOnCancelPolicy(true); // frees the cancelled tasks of removed policies
    }

    /** Returns the client for servers whose certificates these authorities have issued. */
    public FetchClient client(Optional<CaFile> ca) {
        return clients.of(ca);
    }

    /** The timer that starts further downloads. Its thread starts with the first task; tasks must be short. */
    public ScheduledExecutorService timer() {
        return timer;
    }

    /** Drops waiting tasks. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
