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
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.ZoneFixture;
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

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"))
            .pool("other", ZoneFixture.backend("192.0.2.9"));

    private static ServiceConfig named(String name, String... others) {
        return new ServiceConfig(
                name,
                Routes.pool("web", Routing.FAILOVER),
                TtlConfig.fixed(ZoneFixture.TTL),
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
                TtlConfig.fixed(ZoneFixture.TTL),
                WhenAllDown.ALL,
                Optional.empty(),
                List.of("shop", "@"));
        fixture.zone("example.com", turns);
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        AnswererClient client = new AnswererClient(zones);

        assertThat(List.of(
                        first(client.query("www.example.com", Type.A)),
                        first(client.query("shop.example.com", Type.A)),
                        first(client.query("example.com", Type.A))))
                .containsExactly("www.example.com. 192.0.2.1", "shop.example.com. 192.0.2.2", "example.com. 192.0.2.1");
        assertThat(zones.stats().queriesByService()).isEqualTo(Map.of("www.example.com", 3L));
        assertThat(zones.serviceNames()).containsExactly("www.example.com");
    }

    @Test
    void namesFollowPoolHealth() {
        fixture.zone("example.com", named("www", "shop"));
        AnswererClient client = new AnswererClient(fixture);

        fixture.set("web", "192.0.2.1", BackendState.DOWN);

        assertThat(addresses(client.query("www.example.com", Type.A))).containsExactly("192.0.2.2");
        assertThat(addresses(client.query("shop.example.com", Type.A))).containsExactly("192.0.2.2");
    }

    @Test
    void namesAreExplained() throws IOException {
        fixture.zone("example.com", named("www", "shop", "*.shop"));
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());

        assertThat(zones.explain("a.b.shop.example.com", RecordType.A, Optional.empty())
                        .answer())
                .containsExactly("192.0.2.1", "192.0.2.2");
    }

    @Test
    void namesHaveOwnSignatures(@TempDir Path keys) throws IOException {
        fixture.signed(DnssecConfig.DEFAULT).zone("example.com", named("www", "shop", "*.shop"));
        SigningSetup signing = new SigningSetup(keys, new ManualScheduler().controlPlane(), Runnable::run);
        AnswererClient client = new AnswererClient(CompiledZones.start(fixture.dns(), fixture.topology(), signing));

        for (String name : List.of("www", "shop")) {
            assertThat(labels(client, name + ".example.com")).isEqualTo(3);
        }
        // The answer is signed on demand for its own name, as in compact denial, not as a wildcard expansion.
        assertThat(labels(client, "a.b.shop.example.com")).isEqualTo(5);
    }

    private static int labels(AnswererClient client, String name) {
        Message answer =
                client.query(Messages.query(name, Type.A, new OPTRecord(1232, 0, 0, ExtendedFlags.DO)), Transport.UDP);
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
        fixture.zone(
                "example.com",
                named("*.shop"),
                ZoneFixture.service("eu.shop", "other"),
                ZoneFixture.service("a.b.c.shop", "other"));
        AnswererClient client = new AnswererClient(fixture);

        assertThat(addresses(client.query("x.shop.example.com", Type.A))).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(addresses(client.query("x.y.z.shop.example.com", Type.A))).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(addresses(client.query("*.shop.example.com", Type.A))).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(addresses(client.query("eu.shop.example.com", Type.A))).containsExactly("192.0.2.9");
    }

    @Test
    void existingNamesHideWildcard() {
        fixture.zone(
                "example.com",
                named("*.shop"),
                ZoneFixture.service("eu.shop", "other"),
                ZoneFixture.service("a.b.c.shop", "other"));
        AnswererClient client = new AnswererClient(fixture);

        // shop exists because of names below it, as do b.c.shop and c.shop.
        assertNoData(client.query("shop.example.com", Type.A));
        assertNoData(client.query("c.shop.example.com", Type.A));
        assertNoData(client.query("b.c.shop.example.com", Type.A));
        // The closest encloser of each of these names is another name, which has no wildcard.
        assertThat(client.query("x.eu.shop.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(client.query("x.c.shop.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(client.query("shops.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        // The name matches the wildcard, which has no record of this type.
        assertNoData(client.query("x.shop.example.com", Type.TXT));
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
