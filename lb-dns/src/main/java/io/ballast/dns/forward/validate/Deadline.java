package io.ballast.dns.forward.validate;

/** The deadline of a validation, by {@link System#nanoTime()}. Thread safety: immutable. */
record Deadline(long nanos) {

    static Deadline after(long nanos) {
        return new Deadline(System.nanoTime() + nanos);
    }

    /** Remaining time; 0 or less if the deadline has passed. */
    long remainingNanos() {
        return nanos - System.nanoTime();
    }

    /** @throws OverdueException if the deadline has passed */
    void throwIfOverdue() {
        if (remainingNanos() <= 0) {
            throw new OverdueException();
        }
    }
}
