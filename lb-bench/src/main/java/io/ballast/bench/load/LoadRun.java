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
 * An open-loop load run. Requests become due at a constant rate, and each is sent when it is due or as soon
 * as a connection is free. The response time starts at the due time, so a slow server cannot hide its delays
 * by slowing the client down (coordinated omission). Event-loop confined.
 *
 * <p>Waiting requests need no queue: they are the due requests with a number of at least {@code next}.
 */
final class LoadRun {

    /** Maximum wait for responses after the last request was due. */
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_LOGGED_ERRORS = 5;

    private final LoadConfig config;
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
    private int loggedErrors;
    private boolean isAwaitingNext;
    private boolean isSending;
    private @Nullable ScheduledFuture<?> end;

    LoadRun(LoadConfig config, EventLoop loop, Bootstrap bootstrap) {
        this.config = config;
        this.loop = loop;
        this.done = loop.newPromise();
        this.requests = config.requests();
        byte[] bytes = config.request();
        this.request = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), config.port());
        InetSocketAddress source = new InetSocketAddress(config.source(), /* port= */ 0);
        for (int i = 0; i < config.connections(); i++) {
            connections.add(new LoadConnection(this, request, config.closes(), bootstrap, server, source));
        }
    }

    /** Starts the run after opening the persistent connections; the promise is completed on the event loop. */
    Promise<LoadResult> start() {
        loop.execute(this::open);
        return done;
    }

    private void open() {
        idle.addAll(connections);
        if (config.closes()) {
            begin();
            return;
        }
        opening = connections.size();
        for (LoadConnection connection : connections) {
            // Errors are ignored here. The first request retries a failed connection and counts a failure.
            connection.open().addListener((ChannelFuture ignored) -> {
                if (--opening == 0) {
                    begin();
                }
            });
        }
    }

    private void begin() {
        startNanos = System.nanoTime();
        long max = TimeUnit.SECONDS.toNanos(config.seconds()) + DRAIN_NANOS;
        end = loop.schedule(this::abandon, max, TimeUnit.NANOSECONDS);
        sendOnTime();
    }

    private void sendOnTime() {
        isAwaitingNext = false;
        long now = System.nanoTime();
        result.late(now - due(next));
        sendDue(now);
    }

    /** Sends the due requests while connections are free; otherwise waits for the next due time or response. */
    private void sendDue(long now) {
        isSending = true;
        long sentBefore = next;
        boolean isBehind = false;
        while (next < requests && due(next) - now <= 0 && !isBehind) {
            LoadConnection free = idle.poll();
            // Without a free connection, the next response calls this method again.
            isBehind = free == null;
            if (free != null) {
                free.send(due(next++));
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
        return startNanos + config.dueNanos(number);
    }

    void answered(LoadConnection connection) {
        result.answered(System.nanoTime() - connection.dueNanos());
        free(connection);
    }

    void failed(LoadConnection connection, LoadResult.RequestFailure failure) {
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
        // If the request failed synchronously, sendDue is still running and sends the next request itself.
        if (!isAwaitingNext && !isSending) {
            sendDue(System.nanoTime());
        }
    }

    void received(int bytes) {
        result.bytes += bytes;
    }

    void logError(Throwable cause) {
        if (loggedErrors++ < MAX_LOGGED_ERRORS) {
            System.err.println(cause);
        }
    }

    private void abandon() {
        if (done.isDone()) {
            return;
        }
        long now = System.nanoTime();
        for (LoadConnection connection : connections) {
            if (connection.isBusy()) {
                result.failed(LoadResult.RequestFailure.TIMEOUT, now - connection.dueNanos());
            }
        }
        lastSentNanos = now;
        while (next < requests) {
            result.failed(LoadResult.RequestFailure.TIMEOUT, now - due(next++));
        }
        finish();
    }

    private void finish() {
        result.elapsedNanos = Math.max(lastSentNanos - startNanos, TimeUnit.SECONDS.toNanos(config.seconds()));
        if (end != null) {
            end.cancel(/* mayInterruptIfRunning= */ false);
        }
        done.setSuccess(result);
        connections.forEach(LoadConnection::close);
        request.release();
    }
}
