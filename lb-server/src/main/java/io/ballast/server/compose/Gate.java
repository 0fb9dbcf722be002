package io.ballast.server.compose;

import io.ballast.core.control.UnavailableException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delays operators' changes while another process takes over. The other process reads the state files once, so every
 * change is either complete before that, or waits here until the takeover has failed.
 *
 * <pre>
 *   OPEN ──close()──► CLOSED ──open()──► OPEN    takeover failed: waiting changes are carried out, in their order
 *                        └─────shut()──► SHUT    the other process serves: waiting and later changes fail
 * </pre>
 *
 * <p>Thread safety: any thread may call {@link #submit}; the other methods are called by one thread at a time. A change
 * runs outside the lock. Bound: {@value #MAX_WAITING} changes wait; further changes fail.
 */
final class Gate {

    static final int MAX_WAITING = 1_000;

    private enum State {
        OPEN,
        CLOSED,
        SHUT
    }

    /** A waiting change, and the future that was returned to its caller. */
    private record Waiting<T>(Supplier<CompletableFuture<T>> change, CompletableFuture<T> result) {}

    // The following fields are guarded by this.
    private final Queue<Waiting<?>> waiting = new ArrayDeque<>();
    private State state = State.OPEN;
    /** The number of changes that have passed the gate and are not complete. */
    private int running;

    private @Nullable CompletableFuture<Void> idleFuture;

    /**
     * Runs a change at once if the gate is open, otherwise when it opens.
     *
     * @return completes with the result of the change; fails with {@link UnavailableException} if the gate is
     *     shut or too many changes wait
     */
    <T> CompletableFuture<T> submit(Supplier<CompletableFuture<T>> change) {
        CompletableFuture<T> result = new CompletableFuture<>();
        synchronized (this) {
            if (state == State.SHUT) {
                return CompletableFuture.failedFuture(takenOverException());
            }
            if (state == State.CLOSED) {
                if (waiting.size() == MAX_WAITING) {
                    return CompletableFuture.failedFuture(new UnavailableException("a restart is in progress and "
                            + MAX_WAITING + " changes wait for its outcome; try again"));
                }
                waiting.add(new Waiting<>(change, result));
                return result;
            }
            running++;
        }
        run(new Waiting<>(change, result));
        return result;
    }

    private <T> void run(Waiting<T> each) {
        CompletableFuture<T> outcome;
        try {
            outcome = each.change.get();
        } catch (RuntimeException | Error e) {
            outcome = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<T> unused = outcome.whenComplete((value, failure) -> {
            changeCompleted(); // counted before the caller is notified
            if (failure == null) {
                each.result.complete(value);
            } else {
                each.result.completeExceptionally(failure);
            }
        });
    }

    private void changeCompleted() {
        CompletableFuture<Void> waitsForIdle;
        synchronized (this) {
            running--;
            waitsForIdle = running == 0 ? idleFuture : null;
        }
        if (waitsForIdle != null) {
            waitsForIdle.complete(null);
        }
    }

    /** Closes the gate. The returned future completes when all running changes are complete. */
    synchronized CompletableFuture<Void> close() {
        state = State.CLOSED;
        idleFuture = running == 0 ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        return idleFuture;
    }

    /** Runs the waiting changes in the order of their arrival. Changes that arrive afterwards run immediately. */
    void open() {
        while (true) {
            Waiting<?> next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    state = State.OPEN;
                    return;
                }
                running++;
            }
            run(next);
        }
    }

    /** Shuts the gate after the other process has taken over. Waiting changes and later changes fail. */
    void shut() {
        Queue<Waiting<?>> failed;
        synchronized (this) {
            state = State.SHUT;
            failed = new ArrayDeque<>(waiting);
            waiting.clear();
        }
        failed.forEach(each -> each.result.completeExceptionally(takenOverException()));
    }

    private static UnavailableException takenOverException() {
        return new UnavailableException("another process has taken over; repeat the change there");
    }
}
