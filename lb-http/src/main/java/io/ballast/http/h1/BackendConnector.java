package io.ballast.http.h1;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.Failure;
import io.ballast.http.net.ConnectErrors;
import io.ballast.http.net.Worker;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.WriteBufferWaterMark;
import org.jspecify.annotations.Nullable;

/** Makes connections to backends. */
final class BackendConnector {

    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(32 * 1024, 128 * 1024);

    /** Hears how it went, on the event loop. */
    @FunctionalInterface
    interface Outcome {

        /**
         * @param failure null if the connection is made
         * @param reason of the failure, for operators; empty if there is none
         */
        void done(@Nullable Failure failure, String reason);
    }

    private BackendConnector() {}

    /** Connects; {@code handler} will stand alone in the pipeline. */
    static void connect(
            Worker worker, Backend backend, BackendConnections settings, ChannelHandler handler, Outcome outcome) {
        long timeout = Math.max(1, settings.connectTimeout().toMillis());
        new Bootstrap()
                .group(worker.loop())
                .channel(worker.transport().channel())
                .option(ChannelOption.ALLOCATOR, worker.allocator())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout)
                .handler(handler)
                .connect(backend.socketAddress())
                .addListener(future -> {
                    worker.readClock();
                    Throwable cause = future.cause();
                    if (cause == null) {
                        outcome.done(null, "");
                    } else if (cause instanceof ConnectTimeoutException) {
                        outcome.done(Failure.CONNECT_TIMEOUT, "no connection within " + timeout + " ms");
                    } else {
                        outcome.done(failure(cause), ConnectErrors.text(cause));
                    }
                });
    }

    private static Failure failure(Throwable cause) {
        if (ConnectErrors.isRefused(cause)) {
            return Failure.CONNECT_REFUSED;
        }
        return ConnectErrors.isTimeout(cause) ? Failure.CONNECT_TIMEOUT : Failure.CONNECT_FAILED;
    }
}
