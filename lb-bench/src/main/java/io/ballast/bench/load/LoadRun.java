package io.ballast.bench.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One open loop: requests become due evenly, and each is sent then, or as soon as a connection is free. Its time runs
 * from when it was due, so that whoever is slow cannot hide it by being asked less. Event-loop confined.
 *
 * <p>Requests that wait need no queue: they are the numbers from {@code next} on that are due.
 */
final class LoadRun {

    /** How long answers are waited for after the last request was due. */
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MOST_COMPLAINTS = 5;

    private final LoadOrder order;
    private final EventLoop loop;
    private final Promise<LoadResult> done;
    private final ByteBuf request;
    private final List<LoadConnection> connections = new ArrayList<>();
    private final ArrayDeque<LoadConnection> idle = new ArrayDeque<>();
    private final LoadResult result = new LoadResult();
    private final long requests;

    private long startNanos;
    private long lastSentNanos;
    private long next;
    private long ended;
    private int opening;
    private int complaints;
    private boolean isAwaitingNext;
    private boolean isSending;
    private @Nullable ScheduledFuture<?> end;

    LoadRun(LoadOrder order, EventLoop loop, Bootstrap bootstrap) {
        this.order = order;
        this.loop = loop;
        this.done = loop.newPromise();
        this.requests = order.requests();
        byte[] octets = order.request();
        this.request = Unpooled.directBuffer(octets.length).writeBytes(octets);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), order.port());
        for (int i = 0; i < order.connections(); i++) {
            connections.add(new LoadConnection(this, request, order.closes(), bootstrap, server));
        }
    }

    /** Begins, once the connections that are kept are open; the promise is completed on the event loop. */
    Promise<LoadResult> start() {
        loop.execute(this::open);
        return done;
    }

    private void open() {
        idle.addAll(connections);
        if (order.closes()) {
            begin();
            return;
        }
        opening = connections.size();
        for (LoadConnection connection : connections) {
            // What cannot be opened is tried again, and counted, with the first request.
            connection.open().addListener((ChannelFuture ignored) -> {
                if (--opening == 0) {
                    begin();
                }
            });
        }
    }

    private void begin() {
        startNanos = System.nanoTime();
        long most = TimeUnit.SECONDS.toNanos(order.seconds()) + DRAIN_NANOS;
        end = loop.schedule(this::giveUp, most, TimeUnit.NANOSECONDS);
        sendOnTime();
    }

    private void sendOnTime() {
        isAwaitingNext = false;
        long now = System.nanoTime();
        result.late(now - due(next));
        sendDue(now);
    }

    /** Sends what is due as far as connections are free; if all is sent that is due, waits for what comes next. */
    private void sendDue(long now) {
        isSending = true;
        long sentBefore = next;
        boolean isBehind = false;
        while (next < requests && due(next) - now <= 0 && !isBehind) {
            LoadConnection free = idle.poll();
            // If there is none, the next answer calls again.
            isBehind = free == null;
            if (free != null) {
                free.ask(due(next++));
            }
        }
        isSending = false;
        if (next > sentBefore) {
            lastSentNanos = now;
        }
        if (next < requests && !isBehind) {
            isAwaitingNext = true;
            loop.schedule(this::sendOnTime, due(next) - now, TimeUnit.NANOSECONDS);
        }
    }

    private long due(long number) {
        return startNanos + order.dueNanos(number);
    }

    void answered(LoadConnection connection) {
        result.answered(System.nanoTime() - connection.dueNanos());
        free(connection);
    }

    void failed(LoadConnection connection, LoadResult.Failure failure) {
        result.failed(failure, System.nanoTime() - connection.dueNanos());
        free(connection);
    }

    private void free(LoadConnection connection) {
        if (done.isDone()) {
            return;
        }
        ended++;
        idle.add(connection);
        if (ended == requests) {
            finish();
            return;
        }
        // A request that fails at once gets here from where it was sent.
        if (!isAwaitingNext && !isSending) {
            sendDue(System.nanoTime());
        }
    }

    void received(int octets) {
        result.bytes += octets;
    }

    void tell(Throwable cause) {
        if (complaints++ < MOST_COMPLAINTS) {
            System.err.println(cause);
        }
    }

    private void giveUp() {
        if (done.isDone()) {
            return;
        }
        long now = System.nanoTime();
        for (LoadConnection connection : connections) {
            if (connection.isAsking()) {
                result.failed(LoadResult.Failure.TIMEOUT, now - connection.dueNanos());
            }
        }
        lastSentNanos = now;
        while (next < requests) {
            result.failed(LoadResult.Failure.TIMEOUT, now - due(next++));
        }
        finish();
    }

    private void finish() {
        result.elapsedNanos = Math.max(lastSentNanos - startNanos, TimeUnit.SECONDS.toNanos(order.seconds()));
        if (end != null) {
            end.cancel(/* mayInterruptIfRunning= */ false);
        }
        done.setSuccess(result);
        connections.forEach(LoadConnection::close);
        request.release();
    }
}
