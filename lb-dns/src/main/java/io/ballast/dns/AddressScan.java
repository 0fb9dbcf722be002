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

/** Looks once a second which local addresses there are, for listeners that have to bind each on its own. */
final class AddressScan implements AutoCloseable {

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(AddressScan.class);
    private static final long CLOSE_SECONDS = 5;

    /** Taken by a look, and by who changes listeners: a look waits for sockets, and a change must not. */
    private final Semaphore looking = new Semaphore(1);

    private volatile List<ListenerSockets> listeners = List.of();
    private final Consumer<List<Heartbeat>> found;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread scanning = new Thread(task, "dns-addresses");
        scanning.setDaemon(true);
        return scanning;
    });

    private AddressScan(Consumer<List<Heartbeat>> found) {
        this.found = found;
    }

    /** @param found hears of the threads that serve addresses which appear later */
    static AddressScan start(Consumer<List<Heartbeat>> found) {
        AddressScan scan = new AddressScan(found);
        scan.thread.scheduleWithFixedDelay(scan::scan, INTERVAL.toNanos(), INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
        return scan;
    }

    /** Looks for these from now on, those of them that scan. */
    void listeners(Stream<ListenerSockets> next) {
        listeners = next.filter(ListenerSockets::scans).toList();
    }

    /** Has no look begin until {@link #resume}; waits for the end of one that has begun. */
    void pause() {
        looking.acquireUninterruptibly();
    }

    void resume() {
        looking.release();
    }

    private void scan() {
        if (!looking.tryAcquire()) {
            return; // the next look is soon
        }
        try {
            scanAll();
        } finally {
            looking.release();
        }
    }

    private void scanAll() {
        for (ListenerSockets listener : listeners) {
            try {
                found.accept(listener.rescan(listener.local()));
            } catch (IOException e) {
                LOG.debug("no local addresses", e); // not one of its family at the moment; what is bound stays
            } catch (RuntimeException | Error e) {
                LOG.warn("msg=\"looking for new local addresses failed\"", e); // the next look may not
            }
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("msg=\"looking for local addresses hangs\"");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
