package io.ballast.dns.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendTls;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.testing.partner.Partner;
import io.ballast.dns.testing.partner.PartnerProcess;
import io.ballast.dns.testing.partner.Peering;
import io.ballast.dns.testing.partner.TlsPeering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a zone transferred from another server with TSIG, and its changes through IXFR. */
abstract class PrimaryPartnerTest {

    private static final String ZONE = "example.com";

    private final Partner partner;

    @TempDir
    private Path directory;

    private Peering peering;

    PrimaryPartnerTest(Partner partner) {
        this.partner = partner;
    }

    @BeforeEach
    void create() throws IOException {
        PartnerProcess.require(partner);
        peering = new Peering(Files.createDirectory(directory.resolve("partner")), Reload.free(), Reload.free());
    }

    @Test
    void zoneFollowsPrimary() throws Exception {
        follows(peering, new SecondaryConfig(List.of(peering.partner()), Optional.of(SecondaryServer.KEY)));
    }

    /** Runs the test over TLS, for servers that support it. */
    final void followsOverTls() throws Exception {
        Peering secured = peering.withTls();
        TlsPeering tls = secured.tls().orElseThrow();
        BackendTls client = new BackendTls(
                Optional.of(tls.identity().certificate()),
                Optional.of(TlsPeering.NAME),
                Optional.of(tls.identity()),
                /* insecure= */ false);
        follows(secured, new SecondaryConfig(List.of(tls.partner()), Optional.of(SecondaryServer.KEY)).withTls(client));
    }

    private void follows(Peering peering, SecondaryConfig secondary) throws Exception {
        PartnerZone.write(peering, ZONE, 1, "192.0.2.1");
        try (PartnerProcess process = PartnerProcess.start(partner, peering, partner.primary(peering, ZONE));
                SecondaryServer server = start(secondary)) {
            server.begin();
            server.await("www.example.com", "192.0.2.1");

            PartnerZone.write(peering, ZONE, 2, "192.0.2.2");
            process.reload();

            server.await("www.example.com", "192.0.2.2");
            server.await("ns.example.com", "192.0.2.53");
            assertThat(server.state(ZONE).incremental()).as(process::output).isEqualTo(1);
        }
    }

    @Test
    void rejectsOtherSecret() throws Exception {
        PartnerZone.write(peering, ZONE, 1, "192.0.2.1");
        Peering other = peering.withSecret("YW5vdGhlciBzZWNyZXQgdGhhdCBpcyBub3Qga25vd24=");
        try (PartnerProcess process = PartnerProcess.start(partner, other, partner.primary(other, ZONE));
                SecondaryServer server =
                        start(new SecondaryConfig(List.of(peering.partner()), Optional.of(SecondaryServer.KEY)))) {
            server.begin();

            assertThat(server.awaitProblem(ZONE).problem())
                    .as(process::output)
                    .isEqualTo(peering.partner() + ": the primary returned NOTAUTH, BADSIG");
        }
    }

    private SecondaryServer start(SecondaryConfig secondary) throws IOException {
        return SecondaryServer.start(
                new ZoneFixture(), peering.ballast(), directory.resolve("data"), SecondaryServer.zone(ZONE, secondary));
    }
}
