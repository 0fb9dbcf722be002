package io.ballast.discovery;

import io.ballast.core.control.ControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Writes reported backends and edits of operators to files, on its own thread. A failed write is retried,
 * unless the file belongs to another process.
 *
 * <p>Thread safety: all methods may be called from any thread.
 */
final class StateWriter implements AutoCloseable {

    /** The pause after a failed write, such as on a full disk. */
    static final Duration RETRY_DELAY = Duration.ofSeconds(30);

    private final ControlPlane control;
    private final Executor thread;
    private final DiscoveredFile discovered;
    private final EditFile edits;

    /** Whether a retry is scheduled; guarded by this. */
    private boolean retryScheduled;

    /** Guarded by this. */
    private boolean closed;

    /** @param thread executor that writes the files one at a time */
    StateWriter(ControlPlane control, Executor thread, DiscoveredFile discovered, EditFile edits) {
        this.control = control;
        this.thread = thread;
        this.discovered = discovered;
        this.edits = edits;
    }

    /** Schedules a write of this state, which replaces a pending state. */
    void scheduleWrite(Overlay overlay, boolean withEdits) {
        discovered.setPending(overlay);
        if (withEdits) {
            edits.setPending(overlay.edits());
        }
        startWrite();
    }

    /** Starts to write the pending state on the writer thread. */
    void startWrite() {
        thread.execute(this::write);
    }

    /** Writes the pending state; completes when it is written, or exceptionally if the edits cannot be written. */
    CompletableFuture<Void> flush() {
        CompletableFuture<Void> written = new CompletableFuture<>();
        thread.execute(() -> {
            if (write()) {
                written.complete(null);
            } else {
                written.completeExceptionally(new IOException("cannot save the backend changes of operators"));
            }
        });
        return written;
    }

    /** Returns whether all edits are written. */
    private synchronized boolean write() {
        if (closed) {
            return false;
        }
        boolean hasDiscovered = discovered.write();
        boolean hasEdits = edits.write();
        if (!(hasDiscovered && (hasEdits || edits.isOwnedByOther())) && !retryScheduled) {
            retryScheduled = true;
            control.schedule(this::retryWrite, RETRY_DELAY);
        }
        return hasEdits;
    }

    private synchronized void retryWrite() {
        retryScheduled = false;
        startWrite();
    }

    /** Writes pending data on this thread and releases the files. */
    @Override
    public synchronized void close() {
        write();
        closed = true;
        edits.close();
    }
}
