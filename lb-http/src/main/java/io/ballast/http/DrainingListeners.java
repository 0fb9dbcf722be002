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
 * Listeners that the configuration has no more: what runs there may come to its end for a while, then all is closed and
 * forgotten. Threads of their own wait for it, and end with it.
 *
 * <p>Thread safety: any thread may call any method; {@link #awaitIdle} and {@link #close} wait.
 */
final class DrainingListeners implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DrainingListeners.class);
    private static final int MOST_THREADS = 4;
    /** What was closed here tells of its end in a task behind the one that closes it. */
    private static final int ROUNDS = 2;

    private static final int MOST_WAIT_SECONDS = 5;

    private final Background threads = Background.of("listener-drain", MOST_THREADS);
    private final List<Leaving> all = new CopyOnWriteArrayList<>();
    private final Workers workers;

    DrainingListeners(Workers workers) {
        this.workers = workers;
    }

    private record Leaving(RunningListener listener, CountDownLatch gone) {}

    /** Those that are there now. */
    List<RunningListener> all() {
        return all.stream().map(Leaving::listener).toList();
    }

    /**
     * A listener takes no new clients any more, and its connections close with their next exchange. A connection that is
     * unused for {@link HttpFrontend#unusedGrace} is closed then: it cannot be told. Does not wait.
     *
     * @param grace how long what runs there may go on
     * @param forgotten run at the end, when nothing uses what the listener has
     */
    void add(RunningListener listener, Duration grace, Runnable forgotten) {
        long end = System.nanoTime() + grace.toNanos();
        Leaving leaving = new Leaving(listener, new CountDownLatch(1));
        all.add(leaving);
        threads.execute(() -> {
            try {
                awaitLoops(); // which may be about to begin with a client
                listener.clients()
                        .awaitIdle(System.nanoTime()
                                + HttpFrontend.unusedGrace(grace).toNanos());
                listener.clients().drain();
                int cut = listener.clients().awaitIdle(end);
                listener.close();
                awaitLoops();
                LOG.info(
                        "listener={} msg=\"gone\" cut={}",
                        listener.listener().config().name(),
                        cut);
            } finally {
                all.remove(leaving);
                forgotten.run();
                leaving.gone.countDown();
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

    /** Waits until nothing runs there or the time is over; returns how much is left. */
    int awaitIdle(long endNanos) {
        return all.stream()
                .mapToInt(leaving -> leaving.listener.clients().awaitIdle(endNanos))
                .sum();
    }

    /** Ends what runs there, and waits a few seconds at most until all is forgotten. */
    @Override
    public void close() {
        List<Leaving> left = List.copyOf(all);
        left.forEach(leaving -> leaving.listener.close());
        try {
            for (Leaving leaving : left) {
                if (!leaving.gone.await(MOST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.close();
    }
}
