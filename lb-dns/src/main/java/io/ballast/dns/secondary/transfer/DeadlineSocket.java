package io.ballast.dns.secondary.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A TCP connection with a deadline for all reads and an idle timeout for each. The limits also apply to reads by TLS.
 * Confined to one thread.
 */
final class DeadlineSocket extends Socket {

    private final long deadline;
    private final long mostIdleMillis;

    /**
     * Creates an unconnected socket.
     *
     * @param most the time limit of all reads
     * @param mostIdle the idle timeout
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
            public int read(byte[] bytes, int from, int length) throws IOException {
                setSoTimeout(patience());
                return super.read(bytes, from, length);
            }
        };
    }
}
