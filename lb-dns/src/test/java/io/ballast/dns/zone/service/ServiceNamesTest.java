package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TtlConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.testing.Asker;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.World;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.signing.SigningSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests services with several names, and wildcard services (RFC 4592). */
class ServiceNamesTest {

    private final World world = new World()
            .pool("web", World.backend("192.0.2.1"), World.backend("192.0.2.2"))
            .pool("other", World.backend("192.0.2.9"));

    private static ServiceConfig named(String name, String... others) {
        return new ServiceConfig(
                name,
                Routes.pool("web", Routing.FAILOVER),
                TtlConfig.fixed(World.TTL),
                WhenAllDown.ALL,
                Optional.empty(),
                List.of(others));
    }

    @Test
    void namesShareChoiceAndCounts() {
        ServiceConfig turns = new ServiceConfig(
                "www",
                new TargetConfig.OfPool(
                        "web", Routing.ROUND_ROBIN, 1, TargetConfig.Thresholds.DEFAULT, LatencyConfig.DEFAULT),
                TtlConfig.fixed(World.TTL),
                WhenAllDown.ALL,
                Optional.empty(),
                List.of("shop", "@"));
        world.zone("example.com", turns);
        CompiledZones zones = CompiledZones.start(world.dns(), world.topology());
        Asker asker = new Asker(zones);

        assertThat(List.of(
                        first(asker.ask("www.example.com", Type.A)),
                        first(asker.ask("shop.example.com", Type.A)),
                        first(asker.ask("example.com", Type.A))))
                .containsExactly("www.example.com. 192.0.2.1", "shop.example.com. 192.0.2.2", "example.com. 192.0.2.1");
        assertThat(zones.stats().queriesByService()).isEqualTo(Map.of("www.example.com", 3L));
        assertThat(zones.serviceNames()).containsExactly("www.example.com");
    }

    @Test
    void namesFollowPoolHealth() {
        world.zone("example.com", named("www", "shop"));
        Asker asker = new Asker(world);

        world.set("web", "192.0.2.1", BackendState.DOWN);

        assertThat(addresses(asker.ask("www.example.com", Type.A))).containsExactly("192.0.2.2");
        assertThat(addresses(asker.ask("shop.example.com", Type.A))).containsExactly("192.0.2.2");
    }

    @Test
    void namesAreExplained() throws IOException {
        world.zone("example.com", named("www", "shop", "*.shop"));
        CompiledZones zones = CompiledZones.start(world.dns(), world.topology());

        assertThat(zones.explain("a.b.shop.example.com", RecordType.A, Optional.empty())
                        .answer())
                .containsExactly("192.0.2.1", "192.0.2.2");
    }

    @Test
    void namesHaveOwnSignatures(@TempDir Path keys) throws IOException {
        world.signed(DnssecConfig.DEFAULT).zone("example.com", named("www", "shop", "*.shop"));
        SigningSetup signing = new SigningSetup(keys, new ManualScheduler().controlPlane(), Runnable::run);
        Asker asker = new Asker(CompiledZones.start(world.dns(), world.topology(), signing));

        for (String name : List.of("www", "shop")) {
            assertThat(labels(asker, name + ".example.com")).isEqualTo(3);
        }
        // The answer is signed on demand for its own name, as in compact denial, not as a wildcard expansion.
        assertThat(labels(asker, "a.b.shop.example.com")).isEqualTo(5);
    }

    private static int labels(Asker asker, String name) {
        Message answer =
                asker.ask(Messages.query(name, Type.A, new OPTRecord(1232, 0, 0, ExtendedFlags.DO)), Transport.UDP);
        return answer.getSection(Section.ANSWER).stream()
                .filter(RRSIGRecord.class::isInstance)
                .map(RRSIGRecord.class::cast)
                .peek(rrsig -> assertThat(rrsig.getName().toString(true)).isEqualTo(name))
                .map(RRSIGRecord::getLabels)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void wildcardAnswersMissingNames() {
        world.zone(
                "example.com",
                named("*.shop"),
                World.service("eu.shop", "other"),
                World.service("a.b.c.shop", "other"));
        Asker asker = new Asker(world);

        assertThat(addresses(asker.ask("x.shop.example.com", Type.A))).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(addresses(asker.ask("x.y.z.shop.example.com", Type.A))).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(addresses(asker.ask("*.shop.example.com", Type.A))).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(addresses(asker.ask("eu.shop.example.com", Type.A))).containsExactly("192.0.2.9");
    }

    @Test
    void existingNamesHideWildcard() {
        world.zone(
                "example.com",
                named("*.shop"),
                World.service("eu.shop", "other"),
                World.service("a.b.c.shop", "other"));
        Asker asker = new Asker(world);

        // shop exists because of names below it, as do b.c.shop and c.shop.
        assertNoData(asker.ask("shop.example.com", Type.A));
        assertNoData(asker.ask("c.shop.example.com", Type.A));
        assertNoData(asker.ask("b.c.shop.example.com", Type.A));
        // The closest encloser of each of these names is another name, which has no wildcard.
        assertThat(asker.ask("x.eu.shop.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(asker.ask("x.c.shop.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(asker.ask("shops.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        // The name matches the wildcard, which has no record of this type.
        assertNoData(asker.ask("x.shop.example.com", Type.TXT));
    }

    private static void assertNoData(Message answer) {
        assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(answer.getSection(Section.ANSWER)).isEmpty();
    }

    private static String first(Message answer) {
        Record record = answer.getSection(Section.ANSWER).get(0);
        return record.getName() + " " + record.rdataToString();
    }

    private static List<String> addresses(Message answer) {
        return answer.getSection(Section.ANSWER).stream()
                .map(Record::rdataToString)
                .sorted()
                .toList();
    }
}
