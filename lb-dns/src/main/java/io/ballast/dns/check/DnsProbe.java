package io.ballast.dns.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.ballast.core.health.Probe;
import io.ballast.core.health.ProbeResult;
import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs health checks of type {@code dns} on event loops in round-robin order. Each check has its own socket. It uses
 * UDP, and repeats the query over TCP if the response is truncated.
 *
 * <p>Thread safety: checks may be started from any thread.
 */
public final class DnsProbe implements Probe {

    /** The maximum datagram size: some servers send more than the 512 bytes of RFC 1035 section 4.2.1. */
    private static final int MAX_DATAGRAM = 65_535;

    private final NettyTransport transport;
    private final List<? extends EventLoop> loops;
    private final AtomicInteger nextLoop = new AtomicInteger();

    /** @param loops event loops of {@code transport}; at least one */
    public DnsProbe(NettyTransport transport, List<? extends EventLoop> loops) {
        this.transport = transport;
        this.loops = List.copyOf(loops);
    }

    @Override
    public void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done) {
        FirstResult verdict = new FirstResult(done);
        if (!(check instanceof HealthCheck.Dns dns)) {
            verdict.skipped("not a DNS check: " + check.label());
            return;
        }
        EventLoop loop = loops.get(Integer.remainderUnsigned(nextLoop.getAndIncrement(), loops.size()));
        DnsCheckEvaluator evaluator = DnsCheckEvaluator.of(dns);
        loop.execute(() -> begin(loop, target, evaluator, timeout, verdict));
    }

    private void begin(
            EventLoop loop, SocketAddress target, DnsCheckEvaluator evaluator, Duration timeout, FirstResult verdict) {
        DnsCheckExchange exchange =
                new DnsCheckExchange(evaluator, verdict, handler -> connectTcp(loop, target, handler));
        verdict.deadline(loop.schedule(
                () -> {
                    verdict.failed("no answer within " + timeout.toMillis() + " ms");
                    exchange.end();
                },
                timeout.toNanos(),
                TimeUnit.NANOSECONDS));
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.datagramChannel())
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MAX_DATAGRAM))
                .handler(exchange.udpHandler());
        sendWhenConnected(bootstrap.connect(target), exchange, verdict);
    }

    private void connectTcp(EventLoop loop, SocketAddress target, DnsCheckExchange exchange) {
        Bootstrap bootstrap = transport
                .configureConnect(new Bootstrap(), target)
                .group(loop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the check's deadline applies instead
                .handler(exchange.tcpHandler());
        sendWhenConnected(bootstrap.connect(), exchange, exchange.verdict());
    }

    private static void sendWhenConnected(ChannelFuture connect, DnsCheckExchange exchange, FirstResult verdict) {
        connect.addListener(future -> {
            if (future.isSuccess()) {
                exchange.sendQuery(connect.channel());
            } else if (FileDescriptorReserve.isDescriptorExhaustion(future.cause())) {
                FileDescriptorReserve.ofProcess().releaseReserve("health check by DNS");
                verdict.skipped("too many open files");
            } else {
                exchange.fail(future.cause());
            }
        });
        exchange.switchTo(connect.channel());
    }
}
