package io.ballast.http.policy;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How much of a limit one key uses. Immutable.
 *
 * @param text the key as people read it; empty if no request of the key was refused recently
 * @param id identifies the key in this process: the upper 32 bits of its hash
 * @param refused the number of requests that were refused recently; approximate if many keys are refused
 * @param used the part of the limit that is in use, in requests
 * @param limit the maximum of {@code used}
 * @param banNanos the nanoseconds until the ban of the key ends; 0 if it is not banned
 */
public record KeyUsage(Optional<String> text, int id, long refused, long used, long limit, long banNanos) {

    /** The part of the limit that is in use, from 0 to 1. */
    public double share() {
        return limit == 0 ? 0 : (double) used / limit;
    }

    /** The number of requests that the key may send now. */
    public long remaining() {
        return Math.max(0, limit - used);
    }

    /** The seconds until the ban of the key ends, rounded up; 0 if it is not banned. */
    public long banSeconds() {
        return banNanos <= 0 ? 0 : (banNanos - 1) / TimeUnit.SECONDS.toNanos(1) + 1;
    }
}
