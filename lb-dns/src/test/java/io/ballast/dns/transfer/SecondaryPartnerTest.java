package io.ballast.dns.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.TransferFixture;
import io.ballast.dns.testing.partner.Partner;
import io.ballast.dns.testing.partner.PartnerProcess;
import io.ballast.dns.testing.partner.Peering;
import io.ballast.dns.testing.partner.TlsPeering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests another server that transfers a zone from us and gets notifications of changes. */
abstract class SecondaryPartnerTest {

    private static final String ZONE = "example.com";

    private final Partner partner;

    @TempDir
    private Path directory;

    private TransferFixture fixture;
    private Peering peering;
    private PartnerProcess process;

    SecondaryPartnerTest(Partner partner) {
        this.partner = partner;
    }

    @BeforeEach
    void create() throws IOException {
        PartnerProcess.require(partner);
        fixture = new TransferFixture(directory);
        HostPort ballast = new HostPort("127.0.0.1", fixture.address().getPort());
        peering = new Peering(Files.createDirectory(directory.resolve("partner")), Reload.free(), ballast);
    }

    @AfterEach
    void close() throws InterruptedException {
        if (process != null) {
            process.close();
        }
        if (fixture != null) {
            fixture.close();
        }
    }

    @Test
    void partnerFollowsChanges() throws Exception {
        follows(peering);
    }

    /** Runs the test over TLS, for servers that support it. */
    final void followsOverTls() throws Exception {
        Peering secured = peering.withTls();
        TlsPeering tls = secured.tls().orElseThrow();
        fixture.listens(Reload.encrypted(tls.ballast(), Protocol.DOT, tls.identity()));
        follows(secured);
    }

    private void follows(Peering peering) throws Exception {
        fixture.write(TransferFixture.head(1) + "a A 192.0.2.1\nb A 192.0.2.2\n");
        fixture.start(rules(), 10);
        process = PartnerProcess.start(partner, peering, partner.secondary(peering, ZONE));

        process.awaitAddresses("a.example.com", "192.0.2.1");
        assertThat(process.addresses("app.example.com")).containsExactly("192.0.2.1", "192.0.2.2");
        process.await(() -> counted(DnsCounter.NOTIFIES_ACKNOWLEDGED) == 1);
        assertThat(counted(DnsCounter.TRANSFERS_WHOLE)).isEqualTo(1);

        fixture.write(TransferFixture.head(2) + "a A 192.0.2.11\nb A 192.0.2.2\n");
        fixture.reload(rules());

        process.awaitAddresses("a.example.com", "192.0.2.11");
        assertThat(process.addresses("b.example.com")).containsExactly("192.0.2.2");
        assertThat(counted(DnsCounter.TRANSFERS_INCREMENTAL)).isEqualTo(1);
        process.await(() -> counted(DnsCounter.NOTIFIES_ACKNOWLEDGED) == 2);
    }

    @Test
    void rejectsOtherSecret() throws Exception {
        fixture.write(TransferFixture.head(1) + "a A 192.0.2.1\n");
        Peering other = peering.withSecret("YW5vdGhlciBzZWNyZXQgdGhhdCBpcyBub3Qga25vd24=");
        fixture.start(rules(), 10);
        process = PartnerProcess.start(partner, other, partner.secondary(other, ZONE));

        process.await(() -> counted(DnsCounter.NOTIFIES_FAILED) == 1);
        process.await(() -> counted(DnsCounter.CONTROL_UNSIGNED) > 0);
        assertThat(counted(DnsCounter.TRANSFERS_WHOLE)).isZero();
    }

    private TransferConfig rules() {
        return new TransferConfig(
                TransferFixture.LOOPBACK,
                List.of(TransferFixture.KEY),
                List.of(peering.partner()),
                Optional.of(TransferFixture.KEY));
    }

    private long counted(DnsCounter counter) {
        return fixture.frontend().stats().sum(counter);
    }
}
