package io.ballast.dns.testing;

import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.NonLocalResolverFactory;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswererFactory;
import io.ballast.dns.net.stream.StreamAcceptor;
import io.ballast.dns.net.stream.StreamLoops;
import io.ballast.dns.net.stream.StreamProtocol;
import io.ballast.dns.net.stream.StreamService;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.net.config.ProxyProtocolConfig;
import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.ListeningPort;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server of one protocol on a free loopback port, with one event loop. */
public final class StreamServerFixture implements AutoCloseable {

    private final CompiledZones zones;
    private final DnsStats stats = new DnsStats(/* shards= */ 0);
    private final FrontendLoops<AnswerLoop> loops;
    private final StreamLoops streams;
    private final ListeningPort server;
    private final InetSocketAddress address;

    public StreamServerFixture(
            ZoneFixture fixture, DnsTcpConfig limits, StreamProtocol protocol, Optional<ProxyProtocolConfig> proxies)
            throws IOException {
        this(fixture, limits, protocol, proxies, /* nonLocal= */ null);
    }

    /** @param nonLocal source of answers for names outside the zones; null if such names are refused */
    public StreamServerFixture(
            ZoneFixture fixture,
            DnsTcpConfig limits,
            StreamProtocol protocol,
            Optional<ProxyProtocolConfig> proxies,
            @Nullable NonLocalResolverFactory nonLocal)
            throws IOException {
        zones = CompiledZones.start(fixture.dns(), fixture.topology());
        loops = AnswerLoop.start(
                NettyTransport.choose(TransportKind.NIO),
                1,
                new AnswererFactory(
                        new ActiveAnswerConfig(new AnswerConfig(zones.published(), AnswerSettings.OPEN, nonLocal)),
                        stats));
        streams = new StreamLoops(loops, limits);
        StreamAcceptor acceptor = new StreamAcceptor(streams, new StreamService(protocol, proxies));
        InetAddress loopback = InetAddress.getLoopbackAddress();
        address = new InetSocketAddress(loopback, PortCheck.requireFree(List.of(loopback), 0, /* datagrams= */ false));
        server = acceptor.listen(address, loops);
    }

    public InetSocketAddress address() {
        return address;
    }

    public long sum(DnsCounter counter) {
        return stats.sum(counter);
    }

    /** Waits until a counter reaches {@code sum}. */
    public void awaitSum(DnsCounter counter, long sum) {
        while (stats.sum(counter) < sum) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        server.close();
        streams.close();
        zones.close();
        loops.close();
    }
}
