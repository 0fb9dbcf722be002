package io.ballast.dns.zone;

import java.time.Duration;

/** Durations as the wire format has them: whole seconds, at most 2^31 - 1. */
final class Ttl {

    private Ttl() {}

    static int seconds(Duration duration) {
        return (int) Math.min(duration.toSeconds(), Integer.MAX_VALUE);
    }
}
