package io.ballast.core;

import java.time.Duration;

/** Argument checks whose messages all have the form {@code weight: -1 (expected: >= 0)}. */
public final class Checks {

    private Checks() {}

    /** Returns {@code value} if it is at least 1, else throws {@link IllegalArgumentException}. */
    public static int positive(int value, String name) {
        return atLeast(value, 1, name);
    }

    /** Returns {@code value} if it is at least {@code min}, else throws {@link IllegalArgumentException}. */
    public static int atLeast(int value, int min, String name) {
        if (value < min) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + min + ")");
        }
        return value;
    }

    /** Returns {@code value} if {@code min <= value <= max}, else throws {@link IllegalArgumentException}. */
    public static int between(int value, int min, int max, String name) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + min + ".." + max + ")");
        }
        return value;
    }

    /** Returns {@code value} if it is longer than zero, else throws {@link IllegalArgumentException}. */
    public static Duration positive(Duration value, String name) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + ": " + DurationText.of(value) + " (expected: > 0)");
        }
        return value;
    }

    /**
     * Throws {@link IllegalArgumentException} with {@code name: value (expected: expectation)} unless {@code
     * holds}.
     */
    public static void that(boolean holds, String name, Object value, String expectation) {
        if (!holds) {
            Object shown = value instanceof Duration duration ? DurationText.of(duration) : value;
            throw new IllegalArgumentException(name + ": " + shown + " (expected: " + expectation + ")");
        }
    }
}
