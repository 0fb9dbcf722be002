package io.ballast.config.shared;

import io.ballast.core.Checks;
import java.util.regex.Pattern;

/**
 * A version of the configuration of a cluster. Immutable.
 *
 * @param number 1 for the first version of the cluster
 * @param sha256 the SHA-256 of the content, as 64 hexadecimal digits
 */
public record SharedVersion(long number, String sha256) {

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final int SHORT_DIGITS = 12;

    public SharedVersion {
        Checks.that(number > 0, "version", number, "> 0");
        Checks.that(HASH.matcher(sha256).matches(), "sha256", sha256, "64 hexadecimal digits");
    }

    /** The first digits of the hash, for display. */
    public String shortHash() {
        return sha256.substring(0, SHORT_DIGITS);
    }
}
