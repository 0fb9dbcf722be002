package io.ballast.discovery.remote;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Time for the thread of a source. */
public interface SourceTime {

    /** Returns the time like {@link System#nanoTime}. */
    long nanoTime();

    /** Waits; an interrupt ends it. */
    void pause(Duration time) throws InterruptedException;

    /** The time of this machine. */
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
