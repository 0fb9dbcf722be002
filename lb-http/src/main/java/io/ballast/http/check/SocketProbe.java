package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.Probe;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.net.ConnectErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.net.listen.Descriptors;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs {@code tcp} and {@code http} checks on the workers' event loops, in turn, each check on a connection of its own.
 *
 * <p>Thread safety: checks may be started from any thread. A check ends with the first of: a verdict, an error, its
 * deadline.
 */
public final class SocketProbe implements Probe {

    private final List<Worker> workers;
    private final AtomicInteger turn = new AtomicInteger();

    public SocketProbe(Workers workers) {
        this.workers = workers.all();
    }

    @Override
    public void start(
            InetSocketAddress target,
            HealthCheck check,
            String hostHeader,
            Duration timeout,
            Consumer<ProbeResult> done) {
        Worker worker = workers.get(Integer.remainderUnsigned(turn.getAndIncrement(), workers.size()));
        Verdict verdict = new Verdict(done);
        ChannelFuture connect = new Bootstrap()
                .group(worker.eventLoop())
                .channel(worker.transport().channel())
                .option(ChannelOption.ALLOCATOR, worker.allocator())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the deadline below covers it
                .handler(new ChannelInboundHandlerAdapter())
                .connect(target);
        Channel channel = connect.channel();
        verdict.deadline(worker.eventLoop()
                .schedule(
                        () -> {
                            verdict.failed("no answer within " + timeout.toMillis() + " ms");
                            channel.close();
                        },
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS));
        connect.addListener(future -> {
            if (!future.isSuccess() && Descriptors.areExhausted(future.cause())) {
                Descriptors.ofProcess().exhausted("health check of " + target);
                verdict.none(ConnectErrors.text(future.cause()));
            } else if (!future.isSuccess()) {
                verdict.failed(ConnectErrors.text(future.cause()));
            } else if (check instanceof HealthCheck.Http http) {
                HttpCheck.run(channel, http, hostHeader, verdict);
            } else {
                verdict.passed("connected");
                channel.close();
            }
        });
    }
}
