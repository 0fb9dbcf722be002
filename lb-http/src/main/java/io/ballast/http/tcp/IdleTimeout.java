package io.ballast.http.tcp;

import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * Ends a session when no data was sent or received for the idle time. While the session waits for the
 * ClientHello, the deadline limits that wait instead. Event-loop confined.
 */
final class IdleTimeout extends DeadlineWheel.Deadline {

    private final TcpSession session;
    private final Worker worker;
    private final Duration idle;
    private long previousMovedBytes;

    IdleTimeout(TcpSession session, Worker worker, Duration idle) {
        this.session = session;
        this.worker = worker;
        this.idle = idle;
    }

    /** Restarts the idle timeout. */
    void extend() {
        worker.setDeadline(this, idle);
    }

    @Override
    protected void expired(long nowNanos) {
        long moved = session.movedBytes();
        if (!session.isStarting() && moved != previousMovedBytes) {
            previousMovedBytes = moved;
            extend(); // nothing was read, but earlier data is still being sent
        } else {
            session.timedOut();
        }
    }
}
