package io.ballast.acme.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** Limits a warning that clients can cause to once every {@value #SECONDS} s. Thread safety: any thread. */
final class WarningInterval {

    static final int SECONDS = 10;

    private final AtomicReference<Instant> next = new AtomicReference<>(Instant.EPOCH);

    /** Whether the warning is logged now. */
    boolean isDue(Instant now) {
        Instant earliest = next.get();
        return !now.isBefore(earliest) && next.compareAndSet(earliest, now.plus(Duration.ofSeconds(SECONDS)));
    }
}
