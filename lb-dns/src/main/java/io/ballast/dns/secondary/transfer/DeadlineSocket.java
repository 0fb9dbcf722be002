package io.ballast.dns.secondary.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A TCP connection with a deadline for all reads together and an idle timeout for each read. The limits also
 * apply to reads over TLS. Confined to one thread.
 */
final class DeadlineSocket extends Socket {

    private final long deadline;
    private final long maxIdleMillis;

    /**
     * Creates an unconnected socket.
     *
     * @param max the time limit of all reads
     * @param maxIdle the idle timeout
     */
    DeadlineSocket(Duration max, Duration maxIdle) {
        this.deadline = System.nanoTime() + max.toNanos();
        this.maxIdleMillis = maxIdle.toMillis();
    }

    /** Returns the time in milliseconds that remains for an operation that starts now. */
    int timeout() throws SocketTimeoutException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException("the deadline was exceeded");
        }
        return (int) Math.min(left, maxIdleMillis);
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {

            @Override
            public int read() throws IOException {
                setSoTimeout(timeout());
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                setSoTimeout(timeout());
                return super.read(bytes, from, length);
            }
        };
    }
}
