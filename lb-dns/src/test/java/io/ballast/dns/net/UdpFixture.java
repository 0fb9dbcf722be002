package io.ballast.dns.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.NonLocalResolverFactory;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A UDP server with two threads, for a zone in which {@code app.example.com} has two addresses. */
final class UdpFixture implements AutoCloseable {

    private static final int THREADS = 2;

    private final DnsStats stats = new DnsStats(/* shards= */ 0);
    private final CompiledZones zones;
    private final FrontendLoops<AnswerLoop> loops;
    private final InetSocketAddress address;
    private final UdpServer server;

    /** The implementations of {@link UdpServer}. */
    enum Kind {
        DIRECT,
        EPOLL,
        NIO
    }

    private UdpFixture(Kind kind, InetSocketAddress address, @Nullable NonLocalResolverFactory nonLocal)
            throws IOException {
        ZoneFixture dnsFixture = new ZoneFixture()
                .pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"))
                .zone("example.com", ZoneFixture.service("app", "web"));
        this.address = address;
        this.zones = CompiledZones.start(dnsFixture.dns(), dnsFixture.topology());
        AnswererFactory answerers = new AnswererFactory(
                new ActiveAnswerConfig(new AnswerConfig(zones.published(), AnswerSettings.OPEN, nonLocal)), stats);
        this.loops = AnswerLoop.start(
                NettyTransport.choose(kind == Kind.NIO ? TransportKind.NIO : TransportKind.EPOLL),
                kind == Kind.DIRECT ? 1 : THREADS,
                answerers);
        try {
            this.server = kind == Kind.DIRECT
                    ? DirectUdp.prepare(address, answerers.acquire(THREADS))
                    : NettyUdpServer.prepare(address, loops);
        } catch (IOException e) {
            loops.close();
            zones.close();
            throw e;
        }
    }

    /** Skips the test if this system lacks an implementation. */
    static void assumeThereIs(Kind kind) {
        assumeTrue(kind == Kind.NIO || Epoll.isAvailable());
        assumeTrue(kind != Kind.DIRECT || DirectUdp.unavailabilityReason().isEmpty());
    }

    /** Starts serving on a free port of {@code host}; skips the test like {@link #assumeThereIs}. */
    static UdpFixture start(Kind kind, String host) throws IOException {
        UdpFixture fixture = prepare(kind, host);
        fixture.server.start();
        return fixture;
    }

    /** Like {@link #start}, with a source of answers for names outside the zone. */
    static UdpFixture start(Kind kind, String host, NonLocalResolverFactory nonLocal) throws IOException {
        UdpFixture fixture = prepare(kind, host, nonLocal);
        fixture.server.start();
        return fixture;
    }

    /** Like {@link #start}, but does not start the server: queries wait in the sockets. */
    static UdpFixture prepare(Kind kind, String host) throws IOException {
        return prepare(kind, host, /* nonLocal= */ null);
    }

    /** Like {@link #prepare(Kind, String)}, with a source of answers for names outside the zone. */
    static UdpFixture prepare(Kind kind, String host, @Nullable NonLocalResolverFactory nonLocal) throws IOException {
        assumeThereIs(kind);
        InetAddress local = InetAddress.getByName(host);
        InetAddress probed = host.contains(":") ? local : InetAddress.getLoopbackAddress();
        return new UdpFixture(
                kind,
                new InetSocketAddress(local, PortCheck.requireFree(List.of(probed), 0, /* datagrams= */ true)),
                nonLocal);
    }

    InetSocketAddress address() {
        return address;
    }

    long count(DnsCounter counter) {
        return stats.sum(counter);
    }

    /** Starts answering. */
    void start() {
        server.start();
    }

    /** Starts answering and draining. */
    void startAndDrain() {
        server.start();
        server.drain();
    }

    /** Starts draining; waiting queries are answered. */
    void drain() {
        server.drain();
    }

    /** Leaves the sockets to another process. */
    void releaseToSuccessor() {
        server.releaseToSuccessor();
    }

    /** Closes only the server. */
    void closeServer() {
        server.close();
    }

    @Override
    public void close() {
        server.close();
        loops.close();
        zones.close();
    }
}
