package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.DeciderLabels;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.follow.AliasResolver;
import io.ballast.dns.forward.upstream.UpstreamTls;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswererFactory;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the objects for forwarding exist only while forwarding is configured. */
class ForwardPartTest {

    private final ZoneFixture fixture = new ZoneFixture().resolvers("resolvers", 53);
    private final DnsConfig without = fixture.dns(new HostPort("127.0.0.1", 0));
    private final DnsConfig with = without.withForward(DnsForwardConfig.of("resolvers"));
    private final DnsStats stats = new DnsStats(/* shards= */ 0);
    private CompiledZones zones;
    private FrontendLoops<AnswerLoop> loops;
    private ForwardPart part;

    @BeforeEach
    void start() throws IOException {
        zones = CompiledZones.start(without, fixture.topology());
        ActiveAnswerConfig active =
                new ActiveAnswerConfig(new AnswerConfig(zones.published(), AnswerSettings.OPEN, /* nonLocal= */ null));
        loops = AnswerLoop.start(NettyTransport.choose(TransportKind.NIO), 1, new AnswererFactory(active, stats));
        QueryLog log = new QueryLog(DeciderLabels::of);
        AliasResolver followed = new AliasResolver(Runnable::run, System::nanoTime);
        part = new ForwardPart(
                loops, active, stats, (backend, reason) -> {}, UpstreamTls.NONE, log, followed, /* lists= */ null);
    }

    @AfterEach
    void close() {
        part.close();
        loops.close();
        zones.close();
    }

    @Test
    void createsNothingWithoutForwarding() throws IOException {
        part.commit(part.prepare(without, fixture.topology()));

        assertThat(part.hasUpstreamClients()).isFalse();
    }

    @Test
    void followsConfiguration() throws IOException {
        part.commit(part.prepare(with, fixture.topology()));
        assertThat(part.hasUpstreamClients()).isTrue();

        part.commit(part.prepare(without, fixture.topology()));
        assertThat(part.hasUpstreamClients()).isFalse();

        part.commit(part.prepare(with, fixture.topology()));
        assertThat(part.hasUpstreamClients()).isTrue();
    }

    @Test
    void abandonedChangeIsReleased() throws IOException {
        part.abandon(part.prepare(with, fixture.topology()));

        assertThat(part.hasUpstreamClients()).isFalse();
    }
}
