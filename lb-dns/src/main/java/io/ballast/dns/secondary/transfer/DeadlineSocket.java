package io.ballast.dns.secondary.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A TCP connection that is read from until a deadline, and waited for no longer than a time for the next octets: also by TLS, which reads as
 * many as it needs before it gives any. Confined to one thread.
 */
final class DeadlineSocket extends Socket {

    private final long deadline;
    private final long mostIdleMillis;

    /**
     * Not connected yet.
     *
     * @param most from now on
     * @param mostIdle for the next octets
     */
    DeadlineSocket(Duration most, Duration mostIdle) {
        this.deadline = System.nanoTime() + most.toNanos();
        this.mostIdleMillis = mostIdle.toMillis();
    }

    /** How long something may take that begins now, in milliseconds. */
    int patience() throws SocketTimeoutException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException("it takes too long");
        }
        return (int) Math.min(left, mostIdleMillis);
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {

            @Override
            public int read() throws IOException {
                setSoTimeout(patience());
                return super.read();
            }

            @Override
            public int read(byte[] octets, int from, int length) throws IOException {
                setSoTimeout(patience());
                return super.read(octets, from, length);
            }
        };
    }
}
