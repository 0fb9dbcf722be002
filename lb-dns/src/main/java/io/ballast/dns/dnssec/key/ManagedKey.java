package io.ballast.dns.dnssec.key;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A key with its life.
 *
 * @param file where its private half is kept
 */
public record ManagedKey(SigningKey key, KeyTimes times, Path file) {

    /** What the key is used for at a moment. */
    public KeyState state(Instant now) {
        return times.at(now);
    }
}
