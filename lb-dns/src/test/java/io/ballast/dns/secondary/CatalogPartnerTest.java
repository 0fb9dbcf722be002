package io.ballast.dns.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.CatalogMember;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.MemberGroup;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.TransferFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.testing.partner.CatalogPartner;
import io.ballast.dns.testing.partner.PartnerProcess;
import io.ballast.dns.testing.partner.Peering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests catalog zones with another server: it serves the zones of our catalog, and we serve those of its catalog. */
abstract class CatalogPartnerTest {

    private static final String CATALOG = "catalog.example";

    private static final MemberGroup SIGNED = new MemberGroup(Optional.of(DnssecConfig.DEFAULT), Optional.empty());

    private final CatalogPartner partner;

    @TempDir
    private Path directory;

    private Peering peering;
    private PartnerProcess process;

    CatalogPartnerTest(CatalogPartner partner) {
        this.partner = partner;
    }

    @BeforeEach
    void create() throws IOException {
        PartnerProcess.require(partner);
        peering = new Peering(Files.createDirectory(directory.resolve("partner")), Reload.free(), Reload.free());
    }

    @AfterEach
    void end() throws InterruptedException {
        if (process != null) {
            process.close();
        }
    }

    @Test
    void partnerServesMembersOfOurCatalog() throws Exception {
        try (SecondaryServer server = server(member("one.example"))) {
            process = PartnerProcess.start(partner, peering, partner.catalogConsumer(peering, CATALOG));
            process.awaitAddresses("www.one.example", "192.0.2.1");
            assertThat(server.query("www.one.example").getRcode()).isZero();
            assertThat(process.rcode("www.two.example")).isEqualTo(Rcode.REFUSED);
        }
        try (SecondaryServer server =
                server(member("one.example"), new CatalogMember("two.example", Optional.of(CatalogPartner.GROUP)))) {
            process.awaitAddresses("www.two.example", "192.0.2.1");
            assertThat(server.query("www.two.example").getRcode()).isZero();
            process.await(() -> partner.knowsGroups() == process.isSigned("two.example"));
            assertThat(process.isSigned("one.example")).isFalse();
        }
    }

    private static CatalogMember member(String name) {
        return new CatalogMember(name);
    }

    private SecondaryServer server(CatalogMember... members) throws IOException {
        TransferConfig rules = new TransferConfig(
                TransferFixture.LOOPBACK,
                List.of(TransferFixture.KEY),
                List.of(peering.partner()),
                Optional.of(TransferFixture.KEY));
        List<ZoneConfig> zones = new ArrayList<>();
        for (CatalogMember each : members) {
            String member = each.zone();
            Path file = directory.resolve(member);
            Files.writeString(file, """
                    $ORIGIN %s.
                    $TTL 300
                    @ SOA ns1 hostmaster 1 3600 600 604800 60
                    @ NS ns1
                    ns1 A 127.0.0.1
                    www A 192.0.2.1
                    """.formatted(member));
            zones.add(zone(member, Optional.of(file), rules, List.of()));
        }
        zones.add(zone(CATALOG, Optional.empty(), rules, List.of(members)));
        return SecondaryServer.start(
                new ZoneFixture(), peering.ballast(), directory.resolve("ours"), zones.toArray(ZoneConfig[]::new));
    }

    private static ZoneConfig zone(
            String name, Optional<Path> file, TransferConfig rules, List<CatalogMember> members) {
        return new ZoneConfig(
                name,
                ZoneConfig.SoaConfig.placeholder(),
                List.of(),
                ZoneConfig.DEFAULT_NS_TTL,
                file,
                Optional.empty(),
                List.of(),
                Optional.of(rules),
                Optional.empty(),
                Optional.empty(),
                members);
    }

    @Test
    void weServeMembersOfPartnerCatalog() throws Exception {
        PartnerZone.write(peering, "example.com", 1, "192.0.2.1");
        PartnerZone.write(peering, "example.org", 1, "192.0.2.3");
        SecondaryConfig catalog = new SecondaryConfig(
                List.of(peering.partner()),
                Optional.of(SecondaryServer.KEY),
                /* tls= */ Optional.empty(),
                /* catalog= */ true,
                1 << 20,
                Duration.ofMinutes(1),
                /* maxMembers= */ 10,
                Map.of(CatalogPartner.GROUP, SIGNED));
        process = PartnerProcess.start(partner, peering, partner.catalogProducer(peering, CATALOG, "example.com"));
        try (SecondaryServer server = SecondaryServer.start(
                new ZoneFixture(),
                peering.ballast(),
                directory.resolve("data"),
                SecondaryServer.zone(CATALOG, catalog))) {
            server.begin();

            server.await("www.example.com", "192.0.2.1");
            assertThat(server.query("www.example.org").getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(server.query("version." + CATALOG).getRcode()).isEqualTo(Rcode.REFUSED);

            PartnerZone.write(peering, "example.com", 2, "192.0.2.2");
            process.reload();
            server.await("www.example.com", "192.0.2.2");

            process.reload(partner.catalogProducer(peering, CATALOG, "example.com", "example.org"));
            server.await("www.example.org", "192.0.2.3");
            assertThat(server.state("example.org").groups()).containsExactly(CatalogPartner.GROUP);
            assertThat(server.query(Messages.query("example.org", Type.DNSKEY)).getSection(Section.ANSWER))
                    .isNotEmpty();
            assertThat(server.query(Messages.query("example.com", Type.DNSKEY)).getSection(Section.ANSWER))
                    .isEmpty();
        }
    }
}
