package io.ballast.http;

import io.ballast.core.control.Background;
import io.ballast.http.net.Workers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listeners removed from the configuration. Each listener may finish its running exchanges within a grace
 * period. Then it is closed and its resources are released. A background thread does this for each listener,
 * and then ends.
 *
 * <p>Thread safety: any thread may call any method; {@link #awaitIdle} and {@link #close} block.
 */
final class DrainingListeners implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DrainingListeners.class);
    private static final int MAX_THREADS = 4;
    /**
     * The number of times that an empty task is run on each event loop to wait for earlier tasks. Closing a
     * channel queues a second task, which reports the close; the second round waits for that task.
     */
    private static final int ROUNDS = 2;

    private static final int MAX_WAIT_SECONDS = 5;

    private final Background threads = Background.of("listener-drain", MAX_THREADS);
    private final List<Leaving> all = new CopyOnWriteArrayList<>();
    private final Workers workers;

    DrainingListeners(Workers workers) {
        this.workers = workers;
    }

    private record Leaving(RunningListener listener, CountDownLatch released) {}

    /** Returns the listeners that are draining. */
    List<RunningListener> all() {
        return all.stream().map(Leaving::listener).toList();
    }

    /**
     * Drains a listener: it accepts no new clients, and its connections close after their next exchange. Connections
     * that are still idle after {@link HttpFrontend#unusedGrace} are closed, because HTTP/1.1 cannot announce a close
     * to an idle client. Does not wait.
     *
     * @param grace the time limit for running exchanges
     * @param forgotten called when nothing uses the listener's resources any more
     */
    void add(RunningListener listener, Duration grace, Runnable forgotten) {
        long end = System.nanoTime() + grace.toNanos();
        Leaving leaving = new Leaving(listener, new CountDownLatch(1));
        all.add(leaving);
        threads.execute(() -> {
            try {
                awaitLoops(); // event loops may still be starting connections of this listener
                listener.clients()
                        .awaitIdle(System.nanoTime()
                                + HttpFrontend.unusedGrace(grace).toNanos());
                listener.clients().drain();
                int cut = listener.clients().awaitIdle(end);
                listener.close();
                awaitLoops();
                LOG.info(
                        "listener={} msg=\"the listener is no longer configured\" cut={}",
                        listener.listener().config().name(),
                        cut);
            } finally {
                all.remove(leaving);
                forgotten.run();
                leaving.released.countDown();
            }
        });
    }

    private void awaitLoops() {
        for (int i = 0; i < ROUNDS; i++) {
            workers.all().forEach(worker -> {
                try {
                    worker.eventLoop().submit(() -> {}).awaitUninterruptibly();
                } catch (RejectedExecutionException e) {
                    LOG.debug("an event loop has ended", e);
                }
            });
        }
    }

    /**
     * Waits until no connections or sessions are open or {@code endNanos} is reached; returns the number that are
     * still open.
     */
    int awaitIdle(long endNanos) {
        return all.stream()
                .mapToInt(leaving -> leaving.listener.clients().awaitIdle(endNanos))
                .sum();
    }

    /** Closes all running connections, and waits at most a few seconds until all listeners are released. */
    @Override
    public void close() {
        List<Leaving> left = List.copyOf(all);
        left.forEach(leaving -> leaving.listener.close());
        try {
            for (Leaving leaving : left) {
                if (!leaving.released.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.close();
    }
}
