package io.ballast.http.h1;

import io.ballast.core.config.ClientDeadlines;
import io.ballast.http.net.DeadlineWheel;
import io.ballast.http.net.Worker;
import java.time.Duration;

/**
 * The one deadline of a client connection: for what the client has to do next, be it to send or to read. Event-loop
 * confined.
 */
final class ClientDeadline {

    private final Worker worker;
    private final ClientDeadlines times;
    private final ClientOutput output;
    private final Runnable onExpiry;
    private final Entry entry = new Entry();

    /** @param onExpiry what is done when the client was too slow */
    ClientDeadline(Worker worker, ClientDeadlines times, ClientOutput output, Runnable onExpiry) {
        this.worker = worker;
        this.times = times;
        this.output = output;
        this.onExpiry = onExpiry;
    }

    void awaitHead() {
        set(times.requestHead());
    }

    void awaitBody() {
        set(times.requestBodyIdle());
    }

    void awaitNextRequest() {
        set(times.keepAlive());
    }

    /** Waits for the client to read what was sent to it. */
    void awaitReader() {
        output.markProgress();
        set(times.responseIdle());
    }

    /** The client has nothing to do but, if it is slow, to read. */
    void expectNothing() {
        if (output.isWritable()) {
            clear();
        } else {
            awaitReader();
        }
    }

    void set(Duration time) {
        worker.setDeadline(entry, time);
    }

    void clear() {
        worker.deadlines().clear(entry);
    }

    /** Clears it for good: the connection is closed. */
    void remove() {
        worker.deadlines().remove(entry);
    }

    private final class Entry extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            onExpiry.run();
        }
    }
}
