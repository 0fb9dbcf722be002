package io.ballast.dns.dnssec.key;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A key with its timing metadata.
 *
 * @param file file of the private key
 */
public record ManagedKey(SigningKey key, KeyTimes times, Path file) {

    /** Returns the state of the key at the given time. */
    public KeyState state(Instant now) {
        return times.stateAt(now);
    }
}
