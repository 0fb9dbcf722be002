package io.ballast.dns.secondary;

import static io.ballast.dns.secondary.ScriptedPrimary.record;
import static io.ballast.dns.secondary.ScriptedPrimary.soa;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.Cidr;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.ZoneFileReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.ZoneTransferIn;

/** Tests zones that are transferred from one server to another. */
class SecondaryOnwardTest {

    private static final String ZONE = "example.com";
    private static final Name APEX = Messages.name(ZONE);

    @TempDir
    private Path directory;

    private ScriptedPrimary primary;

    @BeforeEach
    void start() throws IOException {
        primary = new ScriptedPrimary();
    }

    @AfterEach
    void end() throws IOException {
        primary.close();
    }

    private SecondaryServer server() throws IOException {
        ZoneConfig zone = SecondaryServer.zone(ZONE, new SecondaryConfig(List.of(primary.address()), Optional.empty()));
        TransferConfig everybody =
                new TransferConfig(List.of(Cidr.parse("127.0.0.0/8")), List.of(), List.of(), Optional.empty());
        return SecondaryServer.start(new ZoneFixture(), Reload.free(), directory, zone.withTransfer(everybody));
    }

    @Test
    void transferredZoneIsServedOnwardWithDifferences() throws Exception {
        primary.serves(
                ZONE, 7, record("www.example.com", "A", "192.0.2.1"), record("example.com", "CAA", "0 issue \"a\""));
        try (SecondaryServer server = server()) {
            server.begin();
            server.await("www.example.com", "192.0.2.1");
            ZoneTransferIn whole = ZoneTransferIn.newAXFR(APEX, server.address(), /* key= */ null);
            whole.run();
            assertThat(whole.getAXFR())
                    .extracting(Record::getType)
                    .contains(Type.CAA, Type.A, Type.NS)
                    .startsWith(Type.SOA)
                    .endsWith(Type.SOA);

            primary.serves(ZONE, 9, record("www.example.com", "A", "192.0.2.9"));
            primary.tellsDifferences(
                    ZONE,
                    soa(ZONE, 9),
                    soa(ZONE, 7),
                    record("www.example.com", "A", "192.0.2.1"),
                    record("example.com", "CAA", "0 issue \"a\""),
                    soa(ZONE, 9),
                    record("www.example.com", "A", "192.0.2.9"),
                    soa(ZONE, 9));
            Message notify = Message.newQuery(Record.newRecord(APEX, Type.SOA, DClass.IN));
            notify.getHeader().setOpcode(Opcode.NOTIFY);
            assertThat(server.query(notify).getRcode()).isEqualTo(Rcode.NOERROR);
            server.await("www.example.com", "192.0.2.9");

            ZoneTransferIn changes = ZoneTransferIn.newIXFR(
                    APEX, /* serial= */ 7, /* fallback= */ true, server.address(), /* key= */ null);
            changes.run();
            assertThat(changes.isIXFR()).isTrue();
            assertThat(changes.getIXFR()).singleElement().satisfies(delta -> {
                assertThat(delta.end).isEqualTo(9);
                assertThat(delta.deletes).hasSize(3);
            });
        }
    }

    @Test
    void presignedZoneIsServedOnward() throws Exception {
        List<Record> signed = presigned();
        primary.tellsExactly(ZONE, signed);
        try (SecondaryServer server = server()) {
            server.begin();
            server.await("www.example.com", "192.0.2.2");

            OPTRecord dnssecOk = new OPTRecord(4096, 0, 0, ExtendedFlags.DO);
            Message answer = server.query(Messages.query("www.example.com", Type.A, dnssecOk));
            assertThat(answer.getSection(Section.ANSWER))
                    .extracting(Record::getType)
                    .containsExactly(Type.A, Type.RRSIG, Type.RRSIG);
            ZoneTransferIn whole = ZoneTransferIn.newAXFR(APEX, server.address(), /* key= */ null);
            whole.run();
            assertThat(whole.getAXFR())
                    .extracting(SecondaryOnwardTest::withTtl)
                    .containsExactlyInAnyOrderElementsOf(
                            signed.stream().map(SecondaryOnwardTest::withTtl).toList());
        }
    }

    /**
     * Returns a record as text with its TTL, which dnsjava does not compare and which may differ among the signatures
     * of a name.
     */
    private static String withTtl(Record record) {
        return record.toString().toLowerCase(Locale.ROOT);
    }

    /** Returns a zone signed by BIND in transfer order: the SOA record is first and last. */
    private static List<Record> presigned() {
        List<Record> records = new ArrayList<>();
        FileProblems problems = new FileProblems();
        Path file = Path.of("src/test/resources/presigned/nsec3.zone");
        ZoneFileReader.read(file, APEX, (record, place) -> records.add(record), problems);
        assertThat(problems.errors()).isEmpty();
        records.add(records.get(0));
        return records;
    }

    @Test
    void missingZoneIsNotTransferred() throws IOException {
        try (SecondaryServer server = server()) {
            Message query = Message.newQuery(Record.newRecord(APEX, Type.AXFR, DClass.IN));

            assertThatThrownBy(() -> Reload.query(server.address(), query)).hasMessageContaining("REFUSED");
        }
    }
}
