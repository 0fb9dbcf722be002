package io.ballast.http.testing;

import java.time.Duration;

/** Timeout for events in tests, long enough for a busy machine. Waits end when the event occurs. */
public final class TestTimeout {

    public static final Duration LIMIT = Duration.ofSeconds(20);
    public static final int LIMIT_MILLIS = (int) LIMIT.toMillis();

    private TestTimeout() {}
}
