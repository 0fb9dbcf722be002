package io.ballast.server.host;

/**
 * Settings of the JDK that are system properties and must be set before its classes are loaded. A property given on the
 * command line takes precedence.
 */
public final class JdkDefaults {

    private static final int MIN_SHARED_THREADS = 2;

    private JdkDefaults() {}

    public static void apply() {
        // With one or two processors, the common pool would have at most one thread. CompletableFuture then starts a
        // new thread for each asynchronous step, and the HTTP client of the JDK has such a step for each response.
        if (Runtime.getRuntime().availableProcessors() <= MIN_SHARED_THREADS) {
            NettyDefaults.set(
                    "java.util.concurrent.ForkJoinPool.common.parallelism", String.valueOf(MIN_SHARED_THREADS));
        }
    }
}
