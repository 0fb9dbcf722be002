package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.stats.ZoneStats.Outcome;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.signing.SigningSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Type;

/** Tests query counts by zone and by service. */
class ZoneCountsTest {

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone(
                    "example.com",
                    ZoneFixture.service("app", "web"),
                    ZoneFixture.service("*.wild", "web"),
                    Routes.service("down", Routes.pool("web"), WhenAllDown.Simple.SERVFAIL));

    @Test
    void countsByZoneAndOutcome() {
        fixture.zone("example.net", ZoneFixture.service("app", "web"));
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        AnswererClient client = new AnswererClient(zones);

        client.query("app.example.com", Type.A);
        client.query("a.wild.example.com", Type.A);
        client.query("app.example.com", Type.AAAA);
        client.query("nope.example.com", Type.A);
        client.query("nope.example.com", Type.AAAA);
        client.query("app.example.net", Type.A);
        client.query("example.org", Type.A);

        assertThat(zones.stats().queriesByZone().get("example.com"))
                .isEqualTo(Map.of(Outcome.NOERROR, 2L, Outcome.NODATA, 1L, Outcome.NXDOMAIN, 2L, Outcome.OTHER, 0L));
        assertThat(zones.stats().queriesByZone().get("example.net")).containsEntry(Outcome.NOERROR, 1L);
        assertThat(zones.stats().queriesByService())
                .isEqualTo(Map.of(
                        "app.example.com", 2L,
                        "*.wild.example.com", 1L,
                        "down.example.com", 0L,
                        "app.example.net", 1L));
    }

    @Test
    void countsServfailSeparately() {
        fixture.set("web", "192.0.2.1", BackendState.DOWN);
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());

        new AnswererClient(zones).query("down.example.com", Type.A);

        assertThat(zones.stats().queriesByZone().get("example.com")).containsEntry(Outcome.OTHER, 1L);
        assertThat(zones.stats().queriesByService()).containsEntry("down.example.com", 1L);
    }

    @Test
    void compactDenialCountsAsMissing(@TempDir Path keys) throws IOException {
        fixture.signed(DnssecConfig.DEFAULT).zone("example.net", ZoneFixture.service("app", "web"));
        SigningSetup signing = new SigningSetup(keys, new ManualScheduler().controlPlane(), Runnable::run);
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology(), signing);

        new AnswererClient(zones)
                .query(
                        Messages.query("nope.example.net", Type.A, new OPTRecord(1232, 0, 0, ExtendedFlags.DO)),
                        Transport.UDP);

        assertThat(zones.stats().queriesByZone().get("example.net")).containsEntry(Outcome.NXDOMAIN, 1L);
    }

    @Test
    void aliasesCountForTargetService(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("zone"), """
                $TTL 60
                @ SOA ns1 admin 1 60 60 60 60
                @ NS ns1
                www CNAME app
                lost CNAME nope
                """);
        ZoneFixture withFile = new ZoneFixture()
                .pool("web", ZoneFixture.backend("192.0.2.1"))
                .zone("example.com", file, ZoneFixture.service("app", "web"));
        CompiledZones zones = CompiledZones.start(withFile.dns(), withFile.topology());
        AnswererClient client = new AnswererClient(zones);

        client.query("www.example.com", Type.A);
        client.query("lost.example.com", Type.A);

        assertThat(zones.stats().queriesByService()).containsEntry("app.example.com", 1L);
        assertThat(zones.stats().queriesByZone().get("example.com"))
                .containsEntry(Outcome.NOERROR, 1L)
                .containsEntry(Outcome.NXDOMAIN, 1L);
    }

    @Test
    void countsSurviveReload() throws IOException {
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        new AnswererClient(zones).query("app.example.com", Type.A);
        ZoneFixture next = new ZoneFixture()
                .pool("web", ZoneFixture.backend("192.0.2.1"))
                .zone("example.org", ZoneFixture.service("app", "web"))
                .zone("example.com", ZoneFixture.service("app", "web"));

        CompiledZones nextZones = zones.next(next.dns(), ZoneInputs.of(next.topology()));
        nextZones.begin();
        new AnswererClient(nextZones).query("app.example.com", Type.A);

        assertThat(nextZones.stats().queriesByService())
                .isEqualTo(Map.of("app.example.com", 2L, "app.example.org", 0L));
        assertThat(nextZones.stats().queriesByZone()).containsOnlyKeys("example.com", "example.org");
    }
}
