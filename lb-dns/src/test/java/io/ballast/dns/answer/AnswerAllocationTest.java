package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.net.IpAddress;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.learn.RoundTripSample;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.RawQuery;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.TestRegions;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Type;

/** Tests that answering does not allocate on any query path. */
class AnswerAllocationTest {

    private static final int ROUNDS = 10_000;
    private static final int RUNS = 3;

    private final ZoneFixture fixture = new ZoneFixture()
            .pool(
                    "web",
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("192.0.2.3"))
            .pool("other", ZoneFixture.backend("192.0.2.4"))
            .zone(
                    "example.com",
                    ZoneFixture.service("app", "web"),
                    ZoneFixture.service("*.wild", "web"),
                    ZoneFixture.service("drawn", "web", Routing.WEIGHTED, 2),
                    ZoneFixture.service("first", "web", Routing.FAILOVER, 1),
                    ZoneFixture.service("hashed", "web", Routing.HASH, 1),
                    ZoneFixture.service("random", "web", Routing.RANDOM, 2),
                    Routes.service("led", ServiceType.CNAME, Routes.records(Routes.onPool("app", "web"))),
                    Routes.service("app", ServiceType.MX, Routes.records(Routes.onPool("10 app", "web"))),
                    Routes.service(
                            "targets",
                            Routes.regions(
                                    Map.of(
                                            "eu",
                                            Routes.among(
                                                    Routing.WEIGHTED,
                                                    Routes.weighted("web", 3),
                                                    Routes.among(
                                                            Routing.HASH, Routes.pool("web"), Routes.pool("other"))),
                                            "us",
                                            Routes.pool("web")),
                                    Optional.of(Routes.among(
                                            Routing.ROUND_ROBIN, Routes.pool("web"), Routes.pool("other"))))));

    private final ManualScheduler scheduler = new ManualScheduler();
    private final GeoSource geo = new TestRegions()
            .region("eu", "10.1.0.0/16")
            .region("us", "10.2.0.0/16")
            .region("asia", "10.3.0.0/16")
            .open("asia", scheduler.controlPlane());

    private final List<byte[]> queries = List.of(
            Messages.query("app.example.com", Type.A).toWire(),
            Messages.query("app.example.com", Type.A, new OPTRecord(1232, 0, 0)).toWire(),
            Messages.query("app.example.com", Type.AAAA).toWire(),
            Messages.query("a.b.c.wild.example.com", Type.A).toWire(),
            Messages.query("drawn.example.com", Type.A).toWire(),
            Messages.query("first.example.com", Type.A).toWire(),
            Messages.query("hashed.example.com", Type.A).toWire(),
            Messages.query("random.example.com", Type.A).toWire(),
            Messages.query("targets.example.com", Type.A).toWire(),
            Messages.query("led.example.com", Type.A).toWire(),
            Messages.query("app.example.com", Type.MX).toWire(),
            Messages.query("nope.example.com", Type.A).toWire(),
            Messages.query("example.com", Type.SOA).toWire(),
            Messages.query("example.org", Type.A).toWire(),
            Messages.query("app.example.com", Type.A, new OPTRecord(1232, 0, 1)).toWire(),
            new RawQuery()
                    .option(8, "0002 38 00 20010db8012345")
                    .option(10, "2464c4abcf10c957")
                    .option(3, "")
                    .toWire(),
            new RawQuery().option(10, "2464c4abcf10c957" + "00".repeat(16)).toWire(),
            new RawQuery().withoutQuestion().option(10, "2464c4abcf10c957").toWire(),
            new RawQuery().option(8, "0001 19 00 c00002ff").toWire(),
            new byte[30],
            new byte[3]);

    private final Client client = new Client();

    @Test
    void answerAllocatesNothing() {
        assertAllocatesNothing(AnswerSettings.OPEN);
    }

    @Test
    void protectionAllocatesNothing() {
        assertAllocatesNothing(settings(Optional.empty()));
        assertAllocatesNothing(settings(Optional.of(RateLimitConfig.DEFAULT)));
    }

    private static AnswerSettings settings(Optional<RateLimitConfig> limit) {
        Protection protection = Protection.of(CookieConfig.DEFAULT, limit, InstantSource.system(), System::nanoTime);
        return new AnswerSettings(protection, "lb-1", Duration.ofSeconds(10));
    }

    @Test
    void cachedSignaturesAllocateNothing(@TempDir Path keys) throws IOException {
        fixture.signed(DnssecConfig.DEFAULT)
                .zone("example.net", ZoneFixture.service("app", "web"), ZoneFixture.service("*.wild", "web"));
        SigningSetup signing = new SigningSetup(keys, scheduler.controlPlane(), Runnable::run);
        ZoneInputs inputs = ZoneInputs.of(fixture.topology(), Optional.of(geo));
        OPTRecord dnssecOk = new OPTRecord(1232, 0, 0, ExtendedFlags.DO);
        List<byte[]> queryBytes = Stream.of("app", "a.wild", "nope", "ns1")
                .map(name ->
                        Messages.query(name + ".example.net", Type.A, dnssecOk).toWire())
                .toList();

        assertAllocatesNothing(AnswerSettings.OPEN, CompiledZones.start(fixture.dns(), inputs, signing), queryBytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nsec", "nsec3", "optout"})
    void presignedDenialsAllocateNothing(String file) {
        ZoneFixture presigned =
                new ZoneFixture().zone("example.com", Path.of("src/test/resources/presigned", file + ".zone"));
        OPTRecord dnssecOk = new OPTRecord(1232, 0, 0, ExtendedFlags.DO);
        List<byte[]> queryBytes = Stream.of("www", "y.x.any", "q.wc", "nope", "c.ent", "a.unsig", "a.u.deep.ent2")
                .map(name ->
                        Messages.query(name + ".example.com", Type.A, dnssecOk).toWire())
                .toList();

        CompiledZones zones = CompiledZones.start(presigned.dns(), presigned.topology());
        assertAllocatesNothing(AnswerSettings.OPEN, zones, queryBytes);
    }

    @Test
    void learnedLatencyAllocatesNothing() {
        LatencyConfig learning = new LatencyConfig(1, Optional.empty(), 20, Duration.ZERO, /* learned= */ true);
        TargetConfig nearest = Routes.nearest(learning, Optional.empty(), Routes.pool("web"), Routes.pool("other"));
        fixture.zone("example.net", Routes.service("app", nearest));
        CompiledZones zones = CompiledZones.start(fixture.dns(), ZoneInputs.of(fixture.topology(), Optional.of(geo)));
        zones.learn(List.of(
                new RoundTripSample(IpAddress.parse("10.1.0.0"), "web", Duration.ofMillis(20)),
                new RoundTripSample(IpAddress.parse("10.2.0.0"), "other", Duration.ofMillis(10))));

        byte[] queryBytes = Messages.query("app.example.net", Type.A).toWire();
        assertAllocatesNothing(AnswerSettings.OPEN, zones, List.of(queryBytes));
    }

    private void assertAllocatesNothing(AnswerSettings settings) {
        ZoneInputs inputs = ZoneInputs.of(fixture.topology(), Optional.of(geo));
        assertAllocatesNothing(settings, CompiledZones.start(fixture.dns(), inputs), queries);
    }

    private void assertAllocatesNothing(AnswerSettings settings, CompiledZones zones, List<byte[]> queryBytes) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Answerer answerer =
                new Answerer(zones.published(), settings, new DnsStats(1).shard(0), new SplittableRandom(1));
        byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
        int rounds = ROUNDS * queries.size() / queryBytes.size();
        long sum = answerAll(answerer, queryBytes, out, rounds);
        long min = Long.MAX_VALUE;
        // An allocation per query would occur in every run; the JVM's own allocations occur once.
        for (int run = 0; run < RUNS; run++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long measured = threads.getCurrentThreadAllocatedBytes();
            long ofMeasuring = measured - before;
            sum += answerAll(answerer, queryBytes, out, rounds);
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - measured - ofMeasuring);
        }

        assertThat(sum).isPositive();
        // The threads allocate less than one byte per hundred queries.
        assertThat(min).isLessThan(rounds * queryBytes.size() / 100);
    }

    private long answerAll(Answerer answerer, List<byte[]> queryBytes, byte[] out, int rounds) {
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < queryBytes.size(); i++) {
                byte[] query = queryBytes.get(i);
                client.bytes()[0] = 10;
                client.bytes()[1] = (byte) (round & 3);
                client.set(/* bytes= */ 4, /* sourcePort= */ 53);
                sum += answerer.answer(query, query.length, client, out, Transport.UDP);
            }
        }
        return sum;
    }
}
