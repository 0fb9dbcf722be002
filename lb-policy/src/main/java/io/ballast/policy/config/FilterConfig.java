package io.ballast.policy.config;

import io.ballast.core.Checks;
import io.ballast.policy.filter.jar.FilterJar;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A filter in Java. Two configurations are equal only if the contents of their jars are equal.
 *
 * @param jar the contents of the jar
 * @param className the class of the factory; empty if the jar names it
 * @param settings the settings for the factory: texts, lists and maps of them
 * @param deadline the maximum time of a call, including the wait for a thread
 * @param onError the treatment of a request if the filter fails
 * @param maxBody the maximum number of bytes of a request body that the filter may read
 * @param threads the maximum number of calls that run at the same time
 * @param queue the maximum number of calls that wait for a thread
 */
public record FilterConfig(
        FilterJar jar,
        Optional<String> className,
        Map<String, Object> settings,
        Duration deadline,
        OnError onError,
        int maxBody,
        int threads,
        int queue)
        implements PolicyRule {

    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(1);
    public static final Duration MAX_DEADLINE = Duration.ofMinutes(1);
    public static final int DEFAULT_MAX_BODY = 64 * 1024;
    public static final int DEFAULT_THREADS = 8;
    public static final int MAX_THREADS = 128;
    public static final int DEFAULT_QUEUE = 256;
    public static final int MAX_QUEUE = 65_536;

    /** The treatment of a request if the filter fails, misses its deadline or cannot be called. */
    public enum OnError {
        /** The client gets 500, or 503 if the filter was not called or missed its deadline. */
        REFUSE,
        /** The request or response passes without the changes of the filter. */
        PASS
    }

    public FilterConfig {
        boolean isInRange = !deadline.isNegative() && !deadline.isZero() && deadline.compareTo(MAX_DEADLINE) <= 0;
        Checks.that(isInRange, "deadline", deadline, "> 0s and <= 1m");
        Checks.between(threads, 1, MAX_THREADS, "threads");
        Checks.between(queue, 0, MAX_QUEUE, "queue");
    }

    /** Returns a filter with the default limits. */
    public static FilterConfig of(FilterJar jar, Map<String, Object> settings) {
        return new FilterConfig(
                jar,
                Optional.empty(),
                settings,
                DEFAULT_DEADLINE,
                OnError.REFUSE,
                DEFAULT_MAX_BODY,
                DEFAULT_THREADS,
                DEFAULT_QUEUE);
    }

    @Override
    public String kind() {
        return "filter";
    }
}
