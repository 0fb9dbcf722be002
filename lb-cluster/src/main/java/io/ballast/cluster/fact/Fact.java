package io.ballast.cluster.fact;

/**
 * A committed fact. Immutable.
 *
 * @param key at most {@value #MAX_KEY_LENGTH} characters
 * @param value at most {@value #MAX_VALUE_BYTES} bytes in UTF-8
 * @param version greater than each earlier version of the key; never 0
 */
public record Fact(String key, String value, long version) {

    public static final int MAX_KEY_LENGTH = 512;
    public static final int MAX_VALUE_BYTES = 32 << 10;

    /** The version of a fact that does not exist. */
    public static final long ABSENT = 0;
}
