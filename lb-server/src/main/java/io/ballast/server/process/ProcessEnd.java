package io.ballast.server.process;

import io.ballast.core.watchdog.ThreadFailure;
import io.ballast.server.compose.Balancer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process gracefully if possible, and by force if that takes too long, so that a supervisor can
 * start it again. Thread safety: {@link #onThreadFailure} and {@link #onSuccessorLost} may be called by any
 * thread, {@link #endGracefully} by one.
 */
public final class ProcessEnd {

    /**
     * Exit code if a thread or the successor process died, or if the graceful shutdown hung; {@code
     * EX_SOFTWARE} of {@code sysexits.h}.
     */
    public static final int EX_SOFTWARE = 70;

    /**
     * Time limit for the requests on the remaining threads after a thread has failed. It is short, because the
     * clients of the failed thread get no service until the next process starts.
     */
    private static final Duration GRACE_AFTER_FAILURE = Duration.ofSeconds(2);

    /** Maximum time to close all parts of the process, in addition to the grace period. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

    private final CountDownLatch stop;
    private final IntConsumer halt;
    private volatile boolean failed;

    /** @param stop counted down when the process must end */
    public ProcessEnd(CountDownLatch stop) {
        this(stop, Runtime.getRuntime()::halt);
    }

    public ProcessEnd(CountDownLatch stop, IntConsumer halt) {
        this.stop = stop;
        this.halt = halt;
    }

    /**
     * Handles the failure of a thread: starts the shutdown. If the shutdown hangs, forces the exit from the
     * calling thread.
     */
    public void onThreadFailure(ThreadFailure failure) {
        failed = true;
        LOG.error("exit={} reason=\"{}\"", EX_SOFTWARE, failure.text());
        stop.countDown();
        forceAfter(GRACE_AFTER_FAILURE.plus(MAX_WAIT));
    }

    /**
     * Handles the unexpected end of the successor while this process drains. No process serves clients until this
     * process has ended and can be replaced. After a grace period, closes the remaining connections. If the
     * shutdown hangs, forces the exit from the calling thread.
     */
    public void onSuccessorLost(String reason, Balancer balancer) {
        failed = true;
        LOG.error("exit={} reason=\"{}\"", EX_SOFTWARE, reason);
        stop.countDown();
        Thread cut = new Thread(
                () -> {
                    pause(GRACE_AFTER_FAILURE);
                    balancer.closeAllConnections();
                },
                "cut-short"); // a separate thread, because closing may hang
        cut.setDaemon(true);
        cut.start();
        forceAfter(GRACE_AFTER_FAILURE.plus(MAX_WAIT));
    }

    /** Ends gracefully; returns the exit code. */
    public int endGracefully(Balancer balancer) {
        Duration announceDelay = failed ? Duration.ZERO : balancer.announceDelay();
        Duration grace = balancer.grace();
        if (failed && GRACE_AFTER_FAILURE.compareTo(grace) < 0) {
            grace = GRACE_AFTER_FAILURE;
        }
        Duration max = announceDelay.plus(grace).plus(MAX_WAIT).plus(MAX_WAIT);
        Thread force = new Thread(() -> forceAfter(max), "last-resort");
        force.setDaemon(true);
        force.start();
        try {
            int cut = balancer.shutDown(announceDelay, grace);
            LOG.info("stopped cut_connections={}", cut);
        } catch (RuntimeException | Error e) {
            // Closing the resources of a dead event loop fails, and the failures are logged.
            LOG.warn("msg=\"shutdown failed\"", e);
            return EX_SOFTWARE;
        } finally {
            force.interrupt();
        }
        return failed ? EX_SOFTWARE : 0;
    }

    /**
     * Waits for {@code max}, then forces the process to exit, even if threads hang. Does nothing if the wait is
     * interrupted.
     */
    private void forceAfter(Duration max) {
        pause(max);
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        LOG.error("exit={} msg=\"shutdown timed out; forcing exit\"", EX_SOFTWARE);
        halt.accept(EX_SOFTWARE);
    }

    /** Waits, unless the thread is interrupted. */
    private static void pause(Duration max) {
        long end = System.nanoTime() + max.toNanos();
        for (long left = max.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }
}
