package io.ballast.replication.limit;

/** The times of the rounds in which nodes exchange messages about limits. Confined to one thread. */
final class LimitRounds {

    /** The time between two rounds. */
    static final long ROUND_NANOS = 1_000_000_000L;

    /** Shares are used for this time at most if the next round is late. */
    static final long MAX_ROUND_NANOS = 2 * ROUND_NANOS;

    private static final int REMEMBERED = 16;

    private final long[] nanos = new long[REMEMBERED];
    private long round;

    /** Begins a round and returns its number; the first round has the number 1. */
    long next(long now) {
        round++;
        nanos[(int) (round % REMEMBERED)] = now;
        return round;
    }

    /** Whether a round was one of the last {@value #REMEMBERED}. */
    boolean isKnown(long number) {
        return number > 0 && number <= round && round - number < REMEMBERED;
    }

    /** The time at which a known round began. */
    long startNanos(long number) {
        return nanos[(int) (number % REMEMBERED)];
    }
}
