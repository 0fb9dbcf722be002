package io.ballast.dns.net.direct;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.net.AnswerContext;
import io.ballast.dns.net.Batching;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Edns;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * The loop of a UDP thread: waits for datagrams, answers all available ones, and sends the responses
 * together. The threads that produce deferred responses send them.
 *
 * <p>Thread safety: confined to the thread that runs it, apart from {@link #stop} and, after its end, {@link
 * #close}.
 */
final class DirectLoop implements Runnable, Deferral, AutoCloseable {

    /** The maximum number of datagrams in a batch. */
    private static final int BATCH = 32;

    /**
     * Buffer size for one datagram: the maximum, so that no datagram is truncated. Signed updates can be that
     * long.
     */
    private static final int QUERY_BYTES = 65_535;

    /** Maximum number of batches that are read while draining; a full receive buffer contains fewer. */
    private static final int MAX_DRAINED = 2048;

    /**
     * Time to wait for datagrams that the kernel was still delivering on another core when the socket was closed to new
     * datagrams.
     */
    private static final long ON_THE_WAY_NANOS = 5_000_000;

    /** Pause between consecutive failures, so that a persistent failure does not use a whole core. */
    private static final long PAUSE_NANOS = 1_000_000;

    /**
     * An idle thread completes an iteration at least this often. It may wait several times in an iteration, each
     * time for at most {@link UdpSocket#MAX_WAIT}.
     */
    private static final Duration TIMEOUT = UdpSocket.MAX_WAIT.multipliedBy(10);

    /** Maximum time to wait for deferred answers after the loop was asked to end. */
    private static final Duration MAX_WAIT_FOR_LATE = Duration.ofSeconds(1);

    private final InetSocketAddress address;
    private final Heartbeat heartbeat;
    private final AnswerContext answering;
    private final Arena arena;
    private final UdpSocket socket;
    private final Queries queries;
    private final Responses responses;
    private final DeferredResponses late;
    private final Client client = new Client();
    private final byte[] query = new byte[QUERY_BYTES];
    private final byte[] response = new byte[Edns.MAX_PAYLOAD_BYTES];
    private final CountDownLatch started = new CountDownLatch(1);
    /** Index in the batch of the datagram that is being answered. */
    private int currentIndex;

    private long emptyNanos = System.nanoTime() - PAUSE_NANOS;
    private volatile boolean stopped;
    /** Whether to end after answering the queries that are queued in the socket. */
    private volatile boolean draining;
    /**
     * Set when another process continues with the socket: the loop answers the datagrams received so far, and
     * then ends.
     */
    private volatile boolean left;

    /** Whether another process may still use the socket. If so, the state of the socket must not be changed. */
    private volatile boolean shared;

    private DirectLoop(
            InetSocketAddress address,
            AnswerContext answering,
            String name,
            boolean shared,
            Arena arena,
            Opening opening)
            throws IOException {
        this.shared = shared;
        SocketAddresses addresses = SocketAddresses.of(address.getAddress());
        this.heartbeat = new Heartbeat(name, TIMEOUT);
        this.address = address;
        this.answering = answering;
        this.arena = arena;
        boolean fromWildcard = address.getAddress().isAnyLocalAddress();
        this.queries = new Queries(BATCH, QUERY_BYTES, addresses, fromWildcard, arena);
        this.responses = new Responses(BATCH, Edns.MAX_PAYLOAD_BYTES, addresses, fromWildcard, arena);
        this.socket = opening.open(arena);
        this.late = new DeferredResponses(socket, Edns.MAX_PAYLOAD_BYTES, addresses, arena);
    }

    /**
     * Binds a socket. The socket queues datagrams until a thread runs this loop and {@link #start} is called.
     *
     * @param name the name of that thread
     */
    static DirectLoop bind(InetSocketAddress address, AnswerContext answering, String name) throws IOException {
        return open(address, answering, name, /* shared= */ false, arena -> UdpSocket.bind(address, arena));
    }

    /**
     * Like {@link #bind}, but takes ownership of a bound socket. Another process may use the socket until {@link
     * #activate}.
     */
    static DirectLoop adopt(int fd, InetSocketAddress address, AnswerContext answering, String name)
            throws IOException {
        return open(address, answering, name, /* shared= */ true, arena -> UdpSocket.adopt(fd, arena));
    }

    @FunctionalInterface
    private interface Opening {
        UdpSocket open(Arena arena) throws IOException;
    }

    private static DirectLoop open(
            InetSocketAddress address, AnswerContext answering, String name, boolean shared, Opening opening)
            throws IOException {
        Arena arena = Arena.ofShared();
        try {
            return new DirectLoop(address, answering, name, shared, arena, opening);
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Serves until it is stopped. If the loop ends early, the other threads take over its share of clients
     * immediately.
     */
    @Override
    public void run() {
        try {
            awaitStart();
            serve();
            if (draining) {
                socket.reject(address);
                answerWaiting();
                LockSupport.parkNanos(ON_THE_WAY_NANOS);
                answerWaiting();
            }
            if (draining || left) {
                late.awaitAll(MAX_WAIT_FOR_LATE);
            }
            if (draining) {
                closeSocket();
            }
            countLost(late.takeLost());
            answering.release();
        } catch (RuntimeException | Error e) {
            closeSocket();
            heartbeat.markEnded(e);
        }
    }

    private void closeSocket() {
        late.close();
        socket.close();
    }

    private void awaitStart() {
        while (true) {
            try {
                started.await();
                return;
            } catch (InterruptedException e) {
                // The interrupt is ignored: only a stop request ends the thread.
            }
        }
    }

    private void serve() {
        int failures = 0;
        while (!stopped && !draining && !left) {
            heartbeat.beat();
            countLost(late.takeLost());
            int received = queries.receive(socket);
            if (stopped && !left) {
                return;
            }
            if (received >= 0) {
                failures = 0;
                answer(received);
                Batching.yieldCpu();
            } else if (received == -LinuxSyscalls.EAGAIN) {
                answering.releaseInactiveConfig(); // no query has arrived for a while
                awaitWaiting();
            } else if (received != -LinuxSyscalls.EINTR) {
                answering.count(DnsCounter.DROPPED);
                if (failures++ > 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    /**
     * Pauses if the previous system call also returned immediately without a datagram. Another process that
     * shares the socket may have made it non-blocking. The pause avoids a busy loop until that process makes it
     * blocking again.
     */
    private void awaitWaiting() {
        long now = System.nanoTime();
        if (now - emptyNanos < PAUSE_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        emptyNanos = now;
    }

    private void answerWaiting() {
        for (int i = 0; i < MAX_DRAINED; i++) {
            int received = queries.poll(socket);
            if (received <= 0) {
                return;
            }
            answer(received);
        }
    }

    private void answer(int received) {
        client.setArrivalNanos(System.nanoTime());
        for (int i = 0; i < received; i++) {
            answerOne(i);
        }
        countLost(responses.send(socket));
    }

    private void countLost(int lost) {
        if (lost > 0) {
            answering.count(DnsCounter.DROPPED, lost);
        }
    }

    private void answerOne(int index) {
        queries.copyClient(index, client);
        int queryLength = queries.take(index, query);
        // After the socket is woken, it returns empty messages without a sender.
        if (queryLength == 0 && draining) {
            return;
        }
        AnswerResult result = AnswerResult.NO_RESPONSE;
        currentIndex = index;
        try {
            result = answering.answer(query, queryLength, client, response, Transport.UDP, this);
        } catch (RuntimeException | StackOverflowError e) {
            answering.recordError(e);
        }
        if (result == AnswerResult.RESPONSE) {
            responses.add(response, answering.responseLength(), queries, index);
        }
    }

    @Override
    public ReplyPath defer() {
        return late.path(queries.copyClientAddress(currentIndex), queries.copySource(currentIndex));
    }

    Heartbeat heartbeat() {
        return heartbeat;
    }

    /** Makes {@link #run} start answering, beginning with the datagrams that are queued in the socket. */
    void start() {
        started.countDown();
    }

    /** Records that no other process uses the socket any more. Any thread may call it. */
    void activate() {
        shared = false;
    }

    /**
     * Answers the queries that the socket has already received, including deferred answers, then ends {@link
     * #run} and closes the socket. If another process shares the socket, its unread queries are left to that
     * process. Any thread may call this method.
     */
    void drain() {
        if (shared) {
            leave();
            return;
        }
        heartbeat.stop();
        draining = true;
        started.countDown();
        socket.wake();
    }

    /**
     * Ends {@link #run} after the received datagrams are answered, within the receive timeout of the socket. Does
     * not wake the thread through the socket, because another process continues to use this shared socket. After
     * a wake-up, all receive calls of that process would also return immediately. Any thread may call it.
     */
    void leave() {
        heartbeat.stop();
        left = true;
        started.countDown();
    }

    /** The file descriptor of the socket in this process. */
    int fd() {
        return socket.fd();
    }

    /** Ends {@link #run}; queries that have not been received stay in the socket. May be called by any thread. */
    void stop() {
        if (shared) {
            leave();
            return;
        }
        heartbeat.stop();
        if (!draining) {
            stopped = true;
        }
        started.countDown();
        if (!left) {
            socket.wake();
        }
    }

    /** Frees the socket and the memory. Must be called only if no thread runs this loop, or will run it. */
    @Override
    public void close() {
        closeSocket();
        arena.close();
    }
}
