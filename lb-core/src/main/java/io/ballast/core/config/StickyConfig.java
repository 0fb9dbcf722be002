package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The cookie that binds a client to its backend.
 *
 * @param name name of the cookie; derived from the pool's name if absent
 * @param maxAge lifetime in browsers; a session cookie if absent
 * @param sameSite which cross-site requests include the cookie
 * @param secure whether the cookie is sent over TLS only; depends on the client's connection if absent
 * @param keys the first key signs new cookies, all keys verify; if there are no keys, a random key is used
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
        Checks.that(new HashSet<>(keys).size() == keys.size(), "keys", "a duplicate key", "unique keys");
        maxAge.ifPresent(age -> Checks.that(age.toSeconds() > 0, "max_age", age, "a second or more"));
        boolean isRefused = sameSite == SameSite.NONE && !secure.orElse(true);
        Checks.that(
                !isRefused,
                "secure",
                "false",
                "true with same_site: none, because browsers reject the cookie otherwise");
    }

    /** Returns a copy with the given keys. */
    public StickyConfig withKeys(List<StickyKey> others) {
        return new StickyConfig(name, maxAge, sameSite, secure, others);
    }

    /**
     * Whether the cookie is marked {@code Secure}.
     *
     * @param byTls whether the client uses TLS
     */
    public boolean isSecure(boolean byTls) {
        return secure.orElse(byTls || sameSite == SameSite.NONE);
    }
}
