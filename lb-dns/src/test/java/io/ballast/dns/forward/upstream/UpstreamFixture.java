package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HostPort;
import io.ballast.core.stats.Counters;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.socket.DatagramChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.xbill.DNS.Type;

/** Upstreams on an event loop with a manual clock. */
final class UpstreamFixture implements AutoCloseable {

    /** Path of HTTP requests. */
    static final String PATH = "/dns-query";

    private static final long TIMEOUT_SECONDS = 20;

    private final AtomicLong nanos = new AtomicLong(System.nanoTime());
    private final EventLoopGroup group;
    private final Loop loop;
    private final Counters<UpstreamCounter> counters = new Counters<>(UpstreamCounter.class, /* shards= */ 1);
    private final Upstreams upstreams;
    private int backends;

    UpstreamFixture(UpstreamSettings settings) {
        this(TransportKind.NIO, settings);
    }

    UpstreamFixture(TransportKind kind, UpstreamSettings settings) {
        this(NettyTransport.choose(kind), settings);
    }

    UpstreamFixture(NettyTransport transport, UpstreamSettings settings) {
        this(transport, new ReflectiveChannelFactory<>(transport.datagramChannel()), settings);
    }

    /** @param udpSockets factory of UDP sockets */
    UpstreamFixture(
            NettyTransport transport, ChannelFactory<? extends DatagramChannel> udpSockets, UpstreamSettings settings) {
        this.group = new MultiThreadIoEventLoopGroup(1, transport.ioHandler().get());
        this.loop = new Loop(group.next(), nanos);
        this.upstreams = new Upstreams(loop, transport, udpSockets, settings, counters.shard(0));
    }

    private static final class Loop extends FrontendLoop {
        Loop(EventLoop eventLoop, AtomicLong nanos) {
            super(eventLoop, new Heartbeat("test", Duration.ofHours(1)), nanos::get);
        }
    }

    static UpstreamSettings settings(UpstreamSettings.Udp udp) {
        return settings(udp, UpstreamSettings.Streams.DEFAULT);
    }

    static UpstreamSettings settings(UpstreamSettings.Udp udp, UpstreamSettings.Streams streams) {
        UpstreamSettings all = UpstreamSettings.DEFAULT;
        return new UpstreamSettings(
                all.attemptTimeout(), all.outstandingPerServer(), all.mixedCase(), udp, streams, all.tls());
    }

    /** Returns settings with at most one open UDP socket. */
    static UpstreamSettings oneSocket(int outstanding, int queries) {
        return settings(new UpstreamSettings.Udp(1, outstanding, queries, Duration.ofSeconds(10)));
    }

    static Question question(String name) {
        return question(name, Type.A, 0);
    }

    static Question question(String name, int type, int flags) {
        byte[] wire = Messages.name(name).toWireCanonical();
        return new Question(wire, name.hashCode(), type, flags, /* group= */ 0);
    }

    Backend backend(InetSocketAddress address) {
        return new Backend(
                ++backends,
                "resolvers",
                new HostPort("localhost", Math.max(1, address.getPort())),
                address,
                /* maxInFlight= */ 0,
                /* shards= */ 1,
                HealthStatus.unknown(Instant.EPOCH));
    }

    RecordedAttempt query(Backend backend, String name) {
        return query(backend, name, UpstreamProtocol.UDP);
    }

    RecordedAttempt query(Backend backend, String name, UpstreamProtocol protocol) {
        RecordedAttempt attempt = new RecordedAttempt();
        query(backend, question(name), protocol, attempt);
        return attempt;
    }

    Attempt query(Backend backend, Question question, UpstreamProtocol protocol, Attempt.Listener listener) {
        return call(() -> begin(backend, question, protocol, listener));
    }

    /** Starts an attempt; must be called on the event loop. */
    Attempt begin(Backend backend, Question question, UpstreamProtocol protocol, Attempt.Listener listener) {
        return upstreams.query(
                backend, question, protocol, PATH, Upstreams.NO_CLIENT, /* isRepeated= */ false, listener);
    }

    /** Starts an attempt for a client. */
    RecordedAttempt query(Backend backend, UpstreamProtocol protocol, long client, boolean isRepeated) {
        RecordedAttempt attempt = new RecordedAttempt();
        run(() -> upstreams.query(backend, question("www.example.com"), protocol, PATH, client, isRepeated, attempt));
        return attempt;
    }

    Upstreams upstreams() {
        return upstreams;
    }

    long sum(UpstreamCounter counter) {
        return call(() -> counters.sum(counter));
    }

    int outstanding() {
        return call(upstreams::outstandingCount);
    }

    /** Number of open sockets of all kinds. */
    int sockets() {
        return call(upstreams::socketCount);
    }

    long now() {
        return call(loop::now);
    }

    /** Advances the clock by {@code time} plus two ticks, the maximum delay of deadlines. */
    void pass(Duration time) {
        nanos.addAndGet(time.plusMillis(2 * DeadlineWheel.TICK_MILLIS).toNanos());
        run(() -> loop.deadlines().advance(loop.readClock()));
    }

    /** Sends data from a server. */
    @FunctionalInterface
    interface Sending {
        void run() throws IOException;
    }

    /** Advances the clock a little; the event loop does not read it yet. */
    void elapse() {
        nanos.incrementAndGet();
    }

    /**
     * Sends the data, and waits until the event loop has read it. When the event loop reads data, it also reads the
     * clock.
     */
    void awaitRead(Sending sending) throws IOException {
        sending.run();
        long time = nanos.get();
        long started = System.nanoTime();
        while (now() != time) {
            if (System.nanoTime() - started > TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
                throw new AssertionError("nothing was read within " + TIMEOUT_SECONDS + " s");
            }
            Thread.onSpinWait();
        }
    }

    void run(Runnable task) {
        call(() -> {
            task.run();
            return true;
        });
    }

    <T> T call(Callable<T> task) {
        try {
            return loop.eventLoop().submit(task).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("on the event loop", e);
        }
    }

    @Override
    public void close() {
        run(upstreams::close);
        // With io_uring, a socket leaves its event loop only after one more iteration of the loop.
        // A loop of io_uring can wait for ever for the end of its last operations.
        group.shutdownGracefully(10, 1000, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
