package io.ballast.cluster.fact;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The active watches of changes. Confined to the fact thread.
 *
 * <p>Bound: {@value #MAX_WATCHES} watches. A further watch reports its changes as pending.
 */
final class ChangeWatches {

    static final int MAX_WATCHES = 10_000;

    private final List<Watch> watches = new ArrayList<>();

    /** A watch of changes. It is complete only after {@link #isClosing} is set, or after a rejection. */
    static final class Watch {

        private final Predicate<String> keys;
        private final CompletableFuture<ChangeResult> result;
        private boolean isClosing;

        /**
         * @param keys selects the watched facts by their keys
         * @param result completed when the watch ends; other code may also complete it, which ends the watch
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

    /** Called when all watched changes were made: the watch ends as soon as none of them is pending. */
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
