package io.ballast.dns.secondary;

import static io.ballast.dns.secondary.ScriptedPrimary.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.Type;

/** Tests the answers that clients receive from secondary zones. */
class SecondaryFrontendTest {

    private static final String ZONE = "example.com";

    @TempDir
    private Path directory;

    private final ZoneFixture fixture = new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.80"));
    private ScriptedPrimary primary;

    @BeforeEach
    void start() throws IOException {
        primary = new ScriptedPrimary();
    }

    @AfterEach
    void end() throws IOException {
        primary.close();
    }

    private SecondaryConfig from(Optional<String> key) {
        return new SecondaryConfig(List.of(primary.address()), key);
    }

    private SecondaryServer server(Optional<String> key) throws IOException {
        return SecondaryServer.start(
                fixture,
                Reload.free(),
                directory,
                SecondaryServer.zone(ZONE, from(key), ZoneFixture.service("app", "web")));
    }

    @Test
    void missingZoneIsServfailWithExtendedError() throws IOException {
        try (SecondaryServer server = server(Optional.empty())) {
            Message query = Messages.query("www.example.com", Type.A);
            query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);

            Message response = server.query(query);

            assertThat(response.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(response.getHeader().getFlag(Flags.AA)).isFalse();
            ExtendedErrorCodeOption error = (ExtendedErrorCodeOption) response.getOPT()
                    .getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR)
                    .get(0);
            assertThat(error.getErrorCode()).isEqualTo(24);
            assertThat(server.query("app.example.com").getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(server.query("www.example.net").getRcode()).isEqualTo(Rcode.REFUSED);
        }
    }

    @Test
    void transferredZoneIsServedWithServices() throws IOException {
        primary.serves(ZONE, 7, record("www.example.com", "A", "192.0.2.1"));
        try (SecondaryServer server = server(Optional.empty())) {
            server.begin();

            server.await("www.example.com", "192.0.2.1");

            server.await("app.example.com", "192.0.2.80");
            assertThat(server.query("none.example.com").getRcode()).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void notifyTriggersTransfer() throws IOException {
        primary.serves(ZONE, 7, record("www.example.com", "A", "192.0.2.1"));
        try (SecondaryServer server = server(Optional.empty())) {
            server.begin();
            server.await("www.example.com", "192.0.2.1");
            primary.serves(ZONE, 8, record("www.example.com", "A", "192.0.2.2"));

            Message response = server.query(notification(ZONE));

            assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(response.getHeader().getOpcode()).isEqualTo(Opcode.NOTIFY);
            assertThat(response.getHeader().getFlag(Flags.AA)).isTrue();
            server.await("www.example.com", "192.0.2.2");
        }
    }

    private static Message notification(String zone) {
        Message notification = Messages.query(zone, Type.SOA);
        notification.getHeader().setOpcode(Opcode.NOTIFY);
        return notification;
    }

    @Test
    void acceptsOnlySignedTransfers() throws IOException {
        primary.serves(ZONE, 7, record("www.example.com", "A", "192.0.2.1"));
        Name key = ScriptedPrimary.name(SecondaryServer.KEY);
        try (SecondaryServer server = server(Optional.of(SecondaryServer.KEY))) {
            server.begin();
            assertThat(server.awaitProblem(ZONE).problem()).contains("invalid TSIG signature: ");
            assertThat(server.query("www.example.com").getRcode()).isEqualTo(Rcode.SERVFAIL);

            primary.signsBy(new TSIG(TSIG.HMAC_SHA256, key, SecondaryServer.SECRET));
            server.query(notification(ZONE));

            server.await("www.example.com", "192.0.2.1");
        }
    }
}
