package io.ballast.http.check;

import io.ballast.core.health.FirstResult;
import io.ballast.http.route.regex.RoutePattern;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Searches response bodies for regular expressions, outside the event loops. The most expensive allowed
 * expression takes tens of milliseconds for a body of the maximum size. Thread safety: any thread may search.
 */
final class BodyRegexSearch {

    /**
     * Maximum number of cached compiled patterns. The cache is cleared when it reaches this limit, which happens
     * only after many reloads.
     */
    private static final int MAX_CACHED = 1000;

    static final String NOT_SEARCHED = "the body was received, but the regular expression was not evaluated in time";

    private final Executor executor;
    private final Map<String, RoutePattern> compiled = new ConcurrentHashMap<>();

    BodyRegexSearch(Executor executor) {
        this.executor = executor;
    }

    /**
     * Reports, on a thread of the executor, whether a part of the body matches. From this call on, a timeout of the
     * check is attributed to this process, not to the backend. If the verdict is given before the search begins, the
     * search is skipped and nothing is reported.
     *
     * @param regex an expression that the configuration has accepted
     */
    void search(String regex, byte[] bytes, FirstResult verdict, Consumer<Boolean> found) {
        verdict.markLocalWorkPending(NOT_SEARCHED);
        executor.execute(() -> {
            if (verdict.isComplete()) {
                return;
            }
            if (compiled.size() >= MAX_CACHED) {
                compiled.clear();
            }
            RoutePattern pattern = compiled.computeIfAbsent(regex, RoutePattern::compile);
            found.accept(pattern.matchesPart(bytes, 0, bytes.length));
        });
    }
}
