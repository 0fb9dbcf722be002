package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The cookie by which a client stays with its backend.
 *
 * @param name of the cookie; one that is made of the pool's name if absent
 * @param maxAge how long browsers keep it; until they are closed if absent
 * @param sameSite with which requests from other sites they send it
 * @param secure whether they send it by TLS only; if absent, what clients come in by
 * @param keys the first signs, all of them verify; a random one if there are none
 */
public record StickyConfig(
        Optional<String> name,
        Optional<Duration> maxAge,
        SameSite sameSite,
        Optional<Boolean> secure,
        List<StickyKey> keys) {

    public static final int MAX_KEYS = 8;

    public static final StickyConfig DEFAULT =
            new StickyConfig(Optional.empty(), Optional.empty(), SameSite.LAX, Optional.empty(), List.of());

    public StickyConfig {
        keys = List.copyOf(keys);
        Checks.that(keys.size() <= MAX_KEYS, "keys", keys.size(), "at most " + MAX_KEYS + " keys");
        Checks.that(new HashSet<>(keys).size() == keys.size(), "keys", "one of them twice", "each once");
        maxAge.ifPresent(age -> Checks.that(age.toSeconds() > 0, "max_age", age, "a second or more"));
        boolean isRefused = sameSite == SameSite.NONE && !secure.orElse(true);
        Checks.that(!isRefused, "secure", "false", "true with same_site: none, or browsers refuse the cookie");
    }

    /** Returns a copy with other keys. */
    public StickyConfig withKeys(List<StickyKey> others) {
        return new StickyConfig(name, maxAge, sameSite, secure, others);
    }

    /**
     * Whether the cookie is marked {@code Secure}.
     *
     * @param byTls whether clients come in by TLS
     */
    public boolean isSecure(boolean byTls) {
        return secure.orElse(byTls || sameSite == SameSite.NONE);
    }
}
