package io.ballast.http.check;

import io.ballast.core.health.Verdict;
import io.ballast.http.route.regex.RoutePattern;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Looks for regular expressions in bodies, beside the event loops: the worst expression takes tens of milliseconds for a
 * body of the allowed size. Thread safety: any thread may search.
 */
final class BodyPatterns {

    /** More than a configuration has; reached only after many reloads, and all are compiled anew then. */
    private static final int MOST_KEPT = 1000;

    static final String NOT_SEARCHED = "the body came, but was not searched in time";

    private final Executor executor;
    private final Map<String, RoutePattern> compiled = new ConcurrentHashMap<>();

    BodyPatterns(Executor executor) {
        this.executor = executor;
    }

    /**
     * Tells, on a thread of the executor, whether a part of the octets matches. From here on the verdict waits for ourselves; if it
     * is given before the search begins, nothing is searched and told.
     *
     * @param regex one that the configuration has accepted
     */
    void search(String regex, byte[] octets, Verdict verdict, Consumer<Boolean> found) {
        verdict.awaitsUs(NOT_SEARCHED);
        executor.execute(() -> {
            if (verdict.isGiven()) {
                return;
            }
            if (compiled.size() >= MOST_KEPT) {
                compiled.clear();
            }
            RoutePattern pattern = compiled.computeIfAbsent(regex, RoutePattern::compile);
            found.accept(pattern.isIn(octets, 0, octets.length));
        });
    }
}
