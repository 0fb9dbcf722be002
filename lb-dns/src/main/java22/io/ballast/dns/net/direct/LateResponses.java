package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.ballast.dns.forward.ReplyPath;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Responses that leave by a socket after the batch in which their queries came, each by itself.
 *
 * <p>Thread safety: any thread sends, one at a time; the socket's own thread is not held up by it. After {@link #close} nothing is
 * sent, and the socket and the memory are left alone.
 */
final class LateResponses implements AutoCloseable {

    private final UdpSocket socket;
    private final MessageVector message;
    private final MemorySegment name;
    private final MemorySegment control;
    private final MemorySegment errno;
    private boolean closed;
    private int outstanding;
    private volatile int lost;

    /** @param allocator of memory that is kept until this is closed */
    LateResponses(UdpSocket socket, int mostBytes, SocketAddresses addresses, SegmentAllocator allocator) {
        this.socket = socket;
        this.message = new MessageVector(1, mostBytes, allocator);
        this.name = allocator.allocate(addresses.bytes(), Long.BYTES);
        this.control = allocator.allocate(PacketInfo.STRIDE, Long.BYTES);
        this.errno = allocator.allocate(Linux.ERRNO);
        message.name(0, name.address(), addresses.bytes());
    }

    /**
     * Keeps the way back to a client.
     *
     * @param client its socket address, as it lies in memory
     * @param source control data that says from which address the response is to leave; empty if there is nothing to say
     */
    synchronized ReplyPath path(byte[] client, byte[] source) {
        outstanding++;
        return (response, length) -> send(client, source, response, length);
    }

    private synchronized void send(byte[] client, byte[] source, byte[] response, int length) {
        outstanding--;
        if (outstanding == 0) {
            notifyAll();
        }
        if (closed) {
            return;
        }
        MemorySegment.copy(client, 0, name, JAVA_BYTE, 0, client.length);
        MemorySegment.copy(source, 0, control, JAVA_BYTE, 0, source.length);
        message.control(0, source.length == 0 ? 0 : control.address(), source.length);
        MemorySegment.copy(response, 0, message.contents(), JAVA_BYTE, message.contentOffset(0), length);
        message.contentLength(0, length);
        int result = -Linux.EINTR;
        while (result == -Linux.EINTR) {
            result = socket.send(message.headers(), 1, errno);
        }
        if (result < 0) {
            lost++;
        }
    }

    /** How many could not be sent since this was asked last. */
    int takeLost() {
        if (lost == 0) {
            return 0;
        }
        synchronized (this) {
            int taken = lost;
            lost = 0;
            return taken;
        }
    }

    /** Waits until nothing more is to come. */
    synchronized void awaitAll(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        boolean interrupted = false;
        while (outstanding > 0 && end - System.nanoTime() > 0) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A second call does nothing. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
