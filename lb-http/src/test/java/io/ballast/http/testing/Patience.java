package io.ballast.http.testing;

import java.time.Duration;

/** How long tests wait for what is to happen: long enough for a busy machine, since the event ends the waiting. */
public final class Patience {

    public static final Duration LIMIT = Duration.ofSeconds(20);
    public static final int LIMIT_MILLIS = (int) LIMIT.toMillis();

    private Patience() {}
}
