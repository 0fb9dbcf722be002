package io.ballast.discovery.testing;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Records the reports of a source, in order. */
public final class RecordedReports implements Source.Listener {

    private final BlockingQueue<Object> notified = new LinkedBlockingQueue<>();
    private final Semaphore confirmations = new Semaphore(0);
    private volatile Thread reporter = Thread.currentThread();

    @Override
    public void onBackends(List<DiscoveredBackend> backends) {
        reporter = Thread.currentThread();
        notified.add(backends);
    }

    @Override
    public void onUnchanged() {
        confirmations.release();
    }

    /** Waits until the source confirms its last report once more. */
    public boolean isConfirmed() throws InterruptedException {
        return confirmations.tryAcquire(60, TimeUnit.SECONDS);
    }

    @Override
    public void onFailure(String reason) {
        reporter = Thread.currentThread();
        notified.add(reason);
    }

    /**
     * Waits for the next report: a set of backends, each as {@code 10.0.0.1:80 weight 2 backup}, or
     * {@code failed: reason}.
     */
    public Object next() throws InterruptedException {
        Object next = notified.poll(60, TimeUnit.SECONDS);
        if (next instanceof List<?> backends) {
            return backends.stream()
                    .map(DiscoveredBackend.class::cast)
                    .map(RecordedReports::text)
                    .toList();
        }
        return next == null ? "nothing is told" : "failed: " + next;
    }

    /** Returns whether there is no further report. */
    public boolean isSilent() {
        return notified.isEmpty();
    }

    /** Waits until the thread that sent the last report ends; returns false if it still runs. */
    public boolean tellerEnds() throws InterruptedException {
        reporter.join(60_000);
        return !reporter.isAlive();
    }

    private static String text(DiscoveredBackend backend) {
        HostPort address = backend.address();
        return address
                + (backend.weight() == 1 ? "" : " weight " + backend.weight())
                + (backend.backup() ? " backup" : "")
                + (backend.draining() ? " draining" : "");
    }
}
