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
     * Connects to a backend. If the process has no free file descriptor, it releases its reserved descriptor and
     * tries once more.
     *
     * @param security the TLS settings
     * @param handler the last handler of the pipeline
     * @param reads the buffer allocator for reads
     */
    public static void connect(
            Worker worker,
            BackendSecurity security,
            Backend backend,
            BackendConnections settings,
            ChannelHandler handler,
            BudgetedRecvByteBufAllocator reads,
            Outcome outcome) {
        connect(worker, security, backend, settings, handler, reads, /* opening= */ null, outcome);
    }

    /**
     * Connects to a backend, and sends data before anything else on the connection, even before a TLS
     * handshake. See the method without {@code opening} for the other parameters.
     *
     * @param opening creates the data, which is flushed with the next write; null for none
     */
    public static void connect(
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
            return;
        }
        long timeout = Math.max(1, settings.connectTimeout().toMillis());
        long deadline = worker.now() + settings.connectTimeout().toNanos();
        Bootstrap bootstrap = new Bootstrap();
        int systemHolds = worker.transit().systemReceiveBytes();
        if (systemHolds > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, systemHolds);
        }
        worker.transport()
                .configureConnect(bootstrap, backend.socketAddress())
                .group(worker.eventLoop())
                .option(ChannelOption.ALLOCATOR, worker.allocator())
                .option(ChannelOption.RECVBUF_ALLOCATOR, reads)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout)
                .option(ChannelOption.AUTO_CLOSE, false) // a failed write must not close the channel: FailedWriteReader
                .handler(handler)
                .connect()
                .addListener((ChannelFuture future) -> {
                    Throwable cause = future.cause();
                    if (cause != null && FileDescriptorReserve.isDescriptorExhaustion(cause)) {
                        // Without a file descriptor there is no channel, and Netty runs the callback on one of its own
                        // threads.
                        boolean freed = FileDescriptorReserve.ofProcess().releaseReserve("connect to " + backend);
                        Runnable again =
                                () -> connect(worker, security, backend, settings, handler, reads, opening, outcome);
                        worker.eventLoop().execute(freed ? again : () -> failWithoutDescriptor(worker, outcome));
                        return;
                    }
                    worker.readClock();
                    if (cause == null && opening != null) {
                        Channel channel = future.channel();
                        channel.write(opening.get(), channel.voidPromise());
                    }
                    if (cause == null && security instanceof BackendSecurity.Tls tls) {
                        handshake(
                                worker, backend, settings, future.channel(), handler, tls.context(), deadline, outcome);
                    } else if (cause == null) {
                        outcome.done(null, "");
                    } else if (cause instanceof ConnectTimeoutException) {
                        outcome.done(Failure.CONNECT_TIMEOUT, "connect timed out after " + timeout + " ms");
                    } else {
                        outcome.done(failure(cause), ConnectErrors.text(cause));
                    }
                });
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

    private static void failWithoutDescriptor(Worker worker, Outcome outcome) {
        worker.readClock();
        outcome.done(Failure.NO_DESCRIPTORS, "too many open files");
    }

    private static Failure failure(Throwable cause) {
        if (ConnectErrors.isRefused(cause)) {
            return Failure.CONNECT_REFUSED;
        }
        return ConnectErrors.isTimeout(cause) ? Failure.CONNECT_TIMEOUT : Failure.CONNECT_FAILED;
    }
}
