package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Tests TXT records that are served for a short time: in zones with updates, in signed zones, and in zones with
 * neither.
 */
class ChallengeRecordsTest {

    private static final String NAME = "_acme-challenge.example.com";
    private static final String OTHER = "_acme-challenge.shop.example.net";

    @TempDir
    private Path directory;

    @BeforeEach
    void writeZones() throws IOException {
        for (String[] zone : new String[][] {{"zone", "example.com"}, {"second", "example.net"}}) {
            Files.writeString(
                    directory.resolve(zone[0]),
                    "$ORIGIN " + zone[1] + ".\n$TTL 60\n@ SOA ns hostmaster 1 3600 600 604800 60\n@ NS ns\n"
                            + "ns A 192.0.2.1\n* A 192.0.2.2\nalias CNAME ns\n");
        }
    }

    @Test
    void publishedRecordsAreServedUntilWithdrawn() throws Exception {
        try (UpdateServer server = start(Optional.empty())) {
            assertThat(texts(server, NAME)).isEmpty();

            server.frontend().publishChallenge(NAME, "first");
            server.frontend().publishChallenge(NAME, "second");
            server.frontend().publishChallenge(OTHER, "third");
            assertThat(texts(server, NAME)).containsExactlyInAnyOrder("first", "second");
            assertThat(texts(server, OTHER)).containsExactly("third");

            server.frontend().withdrawChallenge(NAME, "first");
            server.settled();
            assertThat(texts(server, NAME)).containsExactly("second");

            server.frontend().withdrawChallenge(NAME, "second");
            server.settled();
            assertThat(texts(server, NAME)).isEmpty();
        }
    }

    @Test
    void resolversMustNotCacheRecords() throws Exception {
        try (UpdateServer server = start(Optional.empty())) {
            server.frontend().publishChallenge(NAME, "first");

            assertThat(server.query(NAME, Type.TXT).getSection(Section.ANSWER))
                    .extracting(Record::getTTL)
                    .containsExactly(0L);
        }
    }

    @Test
    void reloadKeepsPublishedRecords() throws Exception {
        try (UpdateServer server = start(Optional.empty())) {
            server.frontend().publishChallenge(NAME, "first");

            server.reload(server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey()));

            assertThat(texts(server, NAME)).containsExactly("first");
        }
    }

    @Test
    void signedZoneSignsRecords() throws Exception {
        try (UpdateServer server = start(Optional.of(DnssecConfig.DEFAULT))) {
            server.frontend().publishChallenge(NAME, "first");

            assertThat(texts(server, NAME)).containsExactly("first");
            Message query = Messages.query(NAME, Type.TXT);
            query.addRecord(new OPTRecord(1232, 0, 0, Flags.DO), Section.ADDITIONAL);
            assertThat(Reload.query(server.address(), query).getSection(Section.ANSWER))
                    .extracting(Record::getType)
                    .contains(Type.RRSIG);
        }
    }

    @Test
    void nameInNoZoneIsRefused() throws Exception {
        try (UpdateServer server = start(Optional.empty())) {
            assertThatThrownBy(() -> server.frontend().publishChallenge("_acme-challenge.example.org", "first"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("_acme-challenge.example.org");
        }
    }

    @Test
    void nameWithAliasIsRefusedAndZoneStaysAsItWas() throws Exception {
        try (UpdateServer server = start(Optional.empty())) {
            assertThatThrownBy(() -> server.frontend().publishChallenge("alias.example.com", "first"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("alias");

            assertThat(server.query("alias.example.com", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            server.frontend().publishChallenge(NAME, "second");
            assertThat(texts(server, NAME)).containsExactly("second");
        }
    }

    private UpdateServer start(Optional<DnssecConfig> dnssec) throws IOException {
        return new UpdateServer(directory, UpdateServer.byKey(), dnssec, TransferFixture.byKey());
    }

    private static List<String> texts(UpdateServer server, String name) throws IOException {
        return server.query(name, Type.TXT).getSection(Section.ANSWER).stream()
                .filter(record -> record.getType() == Type.TXT)
                .map(Record::rdataToString)
                .toList();
    }
}
