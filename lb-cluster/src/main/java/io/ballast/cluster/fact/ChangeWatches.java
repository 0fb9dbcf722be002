package io.ballast.cluster.fact;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The watches of changes that have not ended. Confined to the fact thread.
 *
 * <p>Bound: {@value #MAX_WATCHES} watches. A further one reports its changes as pending.
 */
final class ChangeWatches {

    static final int MAX_WATCHES = 10_000;

    private final List<Watch> watches = new ArrayList<>();

    /** A watch. It is complete only after {@link #isClosing} is set, or after a rejection. */
    static final class Watch {

        private final Predicate<String> keys;
        private final CompletableFuture<ChangeResult> result;
        private boolean isClosing;

        /**
         * @param keys which facts
         * @param result completed when the watch ends; may also be completed by others, which ends the watch
         */
        Watch(Predicate<String> keys, CompletableFuture<ChangeResult> result) {
            this.keys = keys;
            this.result = result;
        }
    }

    void add(Watch watch) {
        watches.removeIf(each -> each.result.isDone());
        if (watches.size() < MAX_WATCHES) {
            watches.add(watch);
        } else {
            watch.result.complete(ChangeResult.PENDING);
        }
    }

    /** All watched changes were made: the watch ends as soon as none is pending. */
    void close(Watch watch, Iterable<String> pending) {
        watch.isClosing = true;
        completeSettled(pending);
    }

    /** @param pending the keys of all pending changes */
    void completeSettled(Iterable<String> pending) {
        for (Watch watch : watches) {
            if (watch.isClosing && !matches(watch, pending)) {
                watch.result.complete(ChangeResult.COMMITTED);
            }
        }
        watches.removeIf(each -> each.result.isDone());
    }

    private static boolean matches(Watch watch, Iterable<String> pending) {
        for (String key : pending) {
            if (watch.keys.test(key)) {
                return true;
            }
        }
        return false;
    }

    void rejected(String key, String reason) {
        for (Watch watch : watches) {
            if (watch.keys.test(key)) {
                watch.result.complete(ChangeResult.rejected(reason));
            }
        }
    }
}
