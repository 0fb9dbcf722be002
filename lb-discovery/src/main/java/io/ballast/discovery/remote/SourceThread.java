package io.ballast.discovery.remote;

import io.ballast.core.ErrorText;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a discovery source. It repeats a {@link Round} until it is closed, even if a round fails. It
 * reports failures to the listener.
 *
 * <p>Thread safety: {@link #start} is called once; {@link #close} may be called by any thread.
 */
public final class SourceThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceThread.class);

    private final String name;
    private final Pacing pacing;
    private final Round round;
    private final Object lock = new Object();
    private boolean closed; // guarded by lock
    private Thread thread; // guarded by lock

    /** Runs one request, or one watch until it ends. */
    @FunctionalInterface
    public interface Round {

        /**
         * Runs a round and reports the result to the listener. An interrupt ends all waits of the round.
         *
         * @return the pause before the next round; {@link Pacing} may extend it
         * @throws IOException if the round failed; the message becomes the reason for the failure
         */
        Duration runRound(Source.Listener listener) throws IOException, InterruptedException;
    }

    /** @param name the name of the thread, such as {@code discover-consul-web} */
    public SourceThread(String name, Pacing pacing, Round round) {
        this.name = name;
        this.pacing = pacing;
        this.round = round;
        this.thread = new Thread();
    }

    /** Starts the thread, unless it has been closed. */
    public void start(Source.Listener listener) {
        synchronized (lock) {
            if (!closed) {
                thread = new Thread(() -> run(listener), name);
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void run(Source.Listener listener) {
        try {
            while (!isClosed()) {
                runOnce(listener);
            }
        } catch (InterruptedException e) {
            LOG.debug("source={} msg=\"the process is shutting down\"", name);
        }
    }

    private void runOnce(Source.Listener listener) throws InterruptedException {
        long began = pacing.nanoTime();
        try {
            pacing.pauseAfter(began, round.runRound(listener));
        } catch (IOException e) {
            reportFailure(listener, reason(e));
        } catch (RuntimeException | Error e) {
            LOG.error("source={} msg=\"internal error in an update of the source\"", name, e);
            reportFailure(listener, "internal error: " + ErrorText.of(e));
        }
    }

    private void reportFailure(Source.Listener listener, String reason) throws InterruptedException {
        if (!isClosed()) {
            listener.onFailure(reason);
            pacing.pauseAfterFailure();
        }
    }

    private static String reason(IOException e) {
        return ErrorText.of(e);
    }

    private boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    /** Ends the thread without waiting for it. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            thread.interrupt();
        }
    }
}
