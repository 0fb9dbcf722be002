package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scans the local addresses every second, for listeners that must bind each address separately. */
final class LocalAddressMonitor implements AutoCloseable {

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(LocalAddressMonitor.class);
    private static final long CLOSE_SECONDS = 5;

    /**
     * Held during a scan, and during a change of the listeners. A scan may have to wait for sockets to close, so
     * it is skipped, not delayed, while a change holds the semaphore.
     */
    private final Semaphore scanPermit = new Semaphore(1);

    private volatile List<ListenerSockets> listeners = List.of();
    private final Consumer<List<Heartbeat>> found;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread scanning = new Thread(task, "dns-addresses");
        scanning.setDaemon(true);
        return scanning;
    });

    private LocalAddressMonitor(Consumer<List<Heartbeat>> found) {
        this.found = found;
    }

    /** @param found callback that receives the heartbeats of threads that serve newly bound addresses */
    static LocalAddressMonitor start(Consumer<List<Heartbeat>> found) {
        LocalAddressMonitor scan = new LocalAddressMonitor(found);
        scan.thread.scheduleWithFixedDelay(scan::scan, INTERVAL.toNanos(), INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
        return scan;
    }

    /** Replaces the scanned listeners; listeners that need no rescan are ignored. */
    void listeners(Stream<ListenerSockets> next) {
        listeners = next.filter(ListenerSockets::needsRescan).toList();
    }

    /** Prevents scans from starting until {@link #resume}, and waits for a running scan to end. */
    void pause() {
        scanPermit.acquireUninterruptibly();
    }

    void resume() {
        scanPermit.release();
    }

    private void scan() {
        if (!scanPermit.tryAcquire()) {
            return; // the next periodic scan tries again
        }
        try {
            scanAll();
        } finally {
            scanPermit.release();
        }
    }

    private void scanAll() {
        for (ListenerSockets listener : listeners) {
            try {
                found.accept(listener.rescan(listener.local()));
            } catch (IOException e) {
                LOG.debug("this address family has no local address", e); // bound sockets stay open
            } catch (RuntimeException | Error e) {
                LOG.warn("msg=\"cannot check for new local addresses\"", e); // the next scan may succeed
            }
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("msg=\"the check for new local addresses did not finish in time\"");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
