package io.ballast.http.testing;

import io.ballast.http.net.Worker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks a balancer's event loops until this object is closed. The loops then find all events at once. */
public final class BlockedLoops implements AutoCloseable {

    private final CountDownLatch held;
    private final CountDownLatch release = new CountDownLatch(1);

    private BlockedLoops(int count) {
        this.held = new CountDownLatch(count);
    }

    public static BlockedLoops of(TestBalancer balancer) throws InterruptedException {
        BlockedLoops loops = new BlockedLoops(balancer.workers().all().size());
        for (Worker worker : balancer.workers().all()) {
            worker.eventLoop().execute(loops::hold);
        }
        if (!loops.held.await(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the event loops are stuck");
        }
        return loops;
    }

    private void hold() {
        held.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        release.countDown();
    }
}
