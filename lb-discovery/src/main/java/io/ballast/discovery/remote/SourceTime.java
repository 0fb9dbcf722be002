package io.ballast.discovery.remote;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The clock and the sleep function of a source's thread. Tests use their own implementation. */
public interface SourceTime {

    /** Returns a monotonic time in nanoseconds, like {@link System#nanoTime}. */
    long nanoTime();

    /** Waits for the given time; an interrupt ends the wait. */
    void pause(Duration time) throws InterruptedException;

    /** Returns an implementation that uses the clock of this machine. */
    static SourceTime ofSystem() {
        return new SourceTime() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public void pause(Duration time) throws InterruptedException {
                boolean unused = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
            }
        };
    }
}
