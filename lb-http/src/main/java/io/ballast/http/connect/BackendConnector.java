package io.ballast.http.connect;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.net.BackendSecurity;
import io.ballast.http.net.BackendTlsHandshake;
import io.ballast.http.net.ConnectErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsCloseHandler;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens connections to backends. Event-loop confined. */
public final class BackendConnector {

    /** Receives the result of a connect, on the event loop. */
    @FunctionalInterface
    public interface Outcome {

        /**
         * @param failure null on success
         * @param reason the reason of the failure, for operators; empty on success
         */
        void done(@Nullable Failure failure, String reason);
    }

    private BackendConnector() {}

    /**
     * Connects to a backend. If the process has no free file descriptor, it releases its reserved descriptors and
     * tries once more. Returns false if no descriptor is free even then; the outcome is not called in this case.
     * Otherwise the outcome is called later, never before this method returns.
     *
     * @param security the TLS settings
     * @param handler the last handler of the pipeline; not used if the result is false
     * @param reads the buffer allocator for reads
     */
    public static boolean connect(
            Worker worker,
            BackendSecurity security,
            Backend backend,
            BackendConnections settings,
            ChannelHandler handler,
            BudgetedRecvByteBufAllocator reads,
            Outcome outcome) {
        return connect(worker, security, backend, settings, handler, reads, /* opening= */ null, outcome);
    }

    /**
     * Connects to a backend, and sends data before anything else on the connection, even before a TLS
     * handshake. See the method without {@code opening} for the result and the other parameters.
     *
     * @param opening creates the data, which is flushed with the next write; null for none
     */
    public static boolean connect(
            Worker worker,
            BackendSecurity security,
            Backend backend,
            BackendConnections settings,
            ChannelHandler handler,
            BudgetedRecvByteBufAllocator reads,
            @Nullable Supplier<ByteBuf> opening,
            Outcome outcome) {
        if (security instanceof BackendSecurity.Unavailable) {
            worker.eventLoop().execute(() -> {
                worker.readClock();
                outcome.done(Failure.CONNECT_FAILED, "a reload removed the TLS configuration of the backend");
            });
            return true;
        }
        long timeout = Math.max(1, settings.connectTimeout().toMillis());
        long deadline = worker.now() + settings.connectTimeout().toNanos();
        ChannelFuture connecting = open(bootstrap(worker, backend, handler, reads, (int) timeout), backend);
        if (connecting == null) {
            return false;
        }
        connecting.addListener((ChannelFuture future) -> {
            Throwable cause = future.cause();
            worker.readClock();
            if (cause == null && opening != null) {
                Channel channel = future.channel();
                channel.write(opening.get(), channel.voidPromise());
            }
            if (cause == null && security instanceof BackendSecurity.Tls tls) {
                handshake(worker, backend, settings, future.channel(), handler, tls.context(), deadline, outcome);
            } else if (cause == null) {
                outcome.done(null, "");
            } else if (cause instanceof ConnectTimeoutException) {
                outcome.done(Failure.CONNECT_TIMEOUT, "connect timed out after " + timeout + " ms");
            } else {
                outcome.done(failure(cause), ConnectErrors.text(cause));
            }
        });
        return true;
    }

    private static Bootstrap bootstrap(
            Worker worker,
            Backend backend,
            ChannelHandler handler,
            BudgetedRecvByteBufAllocator reads,
            int timeoutMillis) {
        Bootstrap bootstrap = new Bootstrap();
        int systemHolds = worker.transit().systemReceiveBytes();
        if (systemHolds > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, systemHolds);
        }
        return worker.transport()
                .configureConnect(bootstrap, backend.socketAddress())
                .group(worker.eventLoop())
                .option(ChannelOption.ALLOCATOR, worker.allocator())
                .option(ChannelOption.RECVBUF_ALLOCATOR, reads)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                .option(ChannelOption.AUTO_CLOSE, false) // FailedWriteReader handles failed writes
                .handler(handler);
    }

    /** Opens a socket and begins to connect it; null if no file descriptor is free. */
    private static @Nullable ChannelFuture open(Bootstrap bootstrap, Backend backend) {
        ChannelFuture first = bootstrap.connect();
        if (!lacksDescriptor(first)) {
            return first;
        }
        if (!FileDescriptorReserve.ofProcess().releaseReserve("connect to " + backend)) {
            return null;
        }
        ChannelFuture second = bootstrap.connect();
        return lacksDescriptor(second) ? null : second;
    }

    /** Whether there was no descriptor for the socket. Netty creates the socket before it returns the future. */
    private static boolean lacksDescriptor(ChannelFuture connecting) {
        Throwable cause = connecting.cause();
        return cause != null && FileDescriptorReserve.isDescriptorExhaustion(cause);
    }

    /** Performs the handshake. The connect timeout applies to connect and handshake together. */
    private static void handshake(
            Worker worker,
            Backend backend,
            BackendConnections settings,
            Channel channel,
            ChannelHandler handler,
            ClientTls tls,
            long deadlineNanos,
            Outcome outcome) {
        DeadlineWheel.Deadline deadline = new DeadlineWheel.Deadline() {
            @Override
            protected void expired(long nowNanos) {
                TlsCloseHandler.closeWithoutNotify(channel);
            }
        };
        worker.deadlines().set(deadline, deadlineNanos);
        BackendTlsHandshake.begin(channel, handler, tls, backend.address(), cause -> {
            worker.readClock();
            worker.deadlines().remove(deadline);
            if (cause == null && !tls.isOfferedProtocol(BackendTlsHandshake.negotiatedProtocol(channel))) {
                outcome.done(Failure.CONNECT_FAILED, ConnectErrors.NO_HTTP_2);
                TlsCloseHandler.closeWithoutNotify(channel);
            } else if (cause == null) {
                outcome.done(null, "");
            } else if (worker.now() - deadlineNanos >= 0) {
                outcome.done(
                        Failure.CONNECT_TIMEOUT,
                        "TLS handshake timed out after "
                                + settings.connectTimeout().toMillis() + " ms");
            } else {
                outcome.done(Failure.CONNECT_FAILED, ConnectErrors.ofHandshake(cause));
            }
        });
    }

    private static Failure failure(Throwable cause) {
        if (ConnectErrors.isRefused(cause)) {
            return Failure.CONNECT_REFUSED;
        }
        if (FileDescriptorReserve.isDescriptorExhaustion(cause)) {
            return Failure.NO_DESCRIPTORS;
        }
        return ConnectErrors.isTimeout(cause) ? Failure.CONNECT_TIMEOUT : Failure.CONNECT_FAILED;
    }
}
