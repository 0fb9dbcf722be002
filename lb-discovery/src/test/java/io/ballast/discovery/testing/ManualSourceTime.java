package io.ballast.discovery.testing;

import io.ballast.discovery.remote.Pacing;
import io.ballast.discovery.remote.SourceTime;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until the test lets a pause end. */
public final class ManualSourceTime implements SourceTime {

    private final BlockingQueue<Duration> pauses = new LinkedBlockingQueue<>();
    private final Semaphore passed = new Semaphore(0);
    private final AtomicLong nanoTime = new AtomicLong();

    /** Returns a pacing with this clock and a fixed random seed, so that its delays are the same in every run. */
    public Pacing pacing() {
        return new Pacing(this, new SplittableRandom(1));
    }

    /** Waits for the next pause, lets it end, and returns its intended duration. */
    public Duration pass() throws InterruptedException {
        Duration pause = pauses.poll(60, TimeUnit.SECONDS);
        if (pause == null) {
            throw new AssertionError("nobody waits");
        }
        nanoTime.addAndGet(pause.toNanos());
        passed.release();
        return pause;
    }

    @Override
    public long nanoTime() {
        return nanoTime.get();
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        pauses.add(time);
        passed.acquire();
    }
}
