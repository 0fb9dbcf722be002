package io.ballast.dns.net.direct;

import io.ballast.dns.forward.ReplyPath;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends responses that become available only after their batch of queries was processed, on the socket that
 * received the queries. Available responses are sent together, because a system call costs as much as several
 * responses.
 *
 * <p>Thread safety: any thread may add and send; of two concurrent senders, the first sends the responses of
 * both. The socket's own thread is not delayed. After {@link #close} nothing is sent, and the socket and the
 * memory are not used.
 */
final class DeferredResponses implements Runnable, AutoCloseable {

    /** The maximum number of responses in a batch. */
    static final int BATCH = 32;

    private final UdpSocket socket;
    private DeferredBatch filling;
    private DeferredBatch spare;
    private boolean sending;
    private boolean closed;
    private int outstanding;
    private volatile int lost;

    /** @param allocator allocator of memory that is kept until this object is closed */
    DeferredResponses(UdpSocket socket, int maxBytes, SocketAddresses addresses, SegmentAllocator allocator) {
        this.socket = socket;
        this.filling = new DeferredBatch(BATCH, maxBytes, addresses, allocator);
        this.spare = new DeferredBatch(BATCH, maxBytes, addresses, allocator);
    }

    /**
     * Stores the address to which a later response will be sent.
     *
     * @param client socket address of the client in native format
     * @param source control data with the source address of the response; empty if it is not needed
     */
    synchronized ReplyPath path(byte[] client, byte[] source) {
        outstanding++;
        return new Path(client, source);
    }

    private final class Path implements ReplyPath {

        private final byte[] client;
        private final byte[] source;

        Path(byte[] client, byte[] source) {
            this.client = client;
            this.source = source;
        }

        @Override
        public void send(byte[] response, int length) {
            sendBuffered(response, length);
            run();
        }

        @Override
        public Runnable sendBuffered(byte[] response, int length) {
            while (!add(client, source, response, length)) {
                run();
            }
            return DeferredResponses.this;
        }

        private void run() {
            DeferredResponses.this.run();
        }
    }

    /** Adds a response; returns false if the batch is full and must be sent first. */
    private synchronized boolean add(byte[] client, byte[] source, byte[] response, int length) {
        while (filling.isFull() && sending) {
            await(Long.MAX_VALUE);
        }
        if (closed) {
            settle(1);
            return true;
        }
        if (filling.isFull()) {
            return false;
        }
        filling.add(client, source, response, length);
        return true;
    }

    /** Sends the added responses. */
    @Override
    public void run() {
        DeferredBatch batch = begin();
        while (batch != null) {
            batch = next(batch, batch.send(socket));
        }
    }

    /** Returns the batch to send; null if the batch is empty, or if another thread is already sending. */
    private synchronized @Nullable DeferredBatch begin() {
        if (sending || closed || filling.isEmpty()) {
            return null;
        }
        DeferredBatch batch = filling;
        filling = spare;
        spare = batch;
        sending = true;
        return batch;
    }

    private synchronized @Nullable DeferredBatch next(DeferredBatch sent, int failed) {
        sending = false;
        if (failed > 0) {
            lost += failed;
        }
        settle(sent.count());
        sent.clear();
        notifyAll();
        return begin();
    }

    private void settle(int count) {
        outstanding -= count;
        if (outstanding == 0) {
            notifyAll();
        }
    }

    /** Returns and resets the number of responses that could not be sent since the previous call. */
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

    /** Waits, for at most the given time, until no responses are outstanding. */
    synchronized void awaitAll(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (outstanding > 0 && end - System.nanoTime() > 0) {
            await(end - System.nanoTime());
        }
    }

    /**
     * Waits until another thread notifies this object, for at most the given time. If the thread is interrupted,
     * its interrupt status is restored.
     */
    private void await(long nanos) {
        boolean interrupted = Thread.interrupted();
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops sending; returns when no response is being sent any more. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        while (sending) {
            await(Long.MAX_VALUE);
        }
    }
}
