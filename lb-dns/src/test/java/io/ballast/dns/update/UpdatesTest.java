package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.Update;
import org.xbill.DNS.ZoneTransferIn;

/** Tests accepted update messages, and the answers that clients then receive from the zone. */
class UpdatesTest {

    private static final Path NSUPDATE = Path.of("/usr/bin/nsupdate");

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        UpdateServer.writeZone(directory);
    }

    @Test
    void updateCompilesOnlyItsZone() throws Exception {
        Files.writeString(
                directory.resolve("second"),
                TransferFixture.head(7).replace("example.com", "example.net") + "www A 192.0.2.2\n");
        try (UpdateServer server = UpdateServer.start(directory)) {
            assertThat(server.frontend().zones().compiledZoneCount()).isEqualTo(2);

            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);
            server.settled();
            assertThat(server.frontend().zones().compiledZoneCount()).isOne();
            assertThat(server.send(UpdateServer.adding("newer.example.com", "192.0.2.10")))
                    .isEqualTo(Rcode.NOERROR);
            server.settled();
            assertThat(server.frontend().zones().compiledZoneCount()).isOne();
        }
    }

    @Test
    void updateDoesNotReadJournal() throws Exception {
        try (UpdateServer server = UpdateServer.start(directory)) {
            for (int i = 1; i <= 3; i++) {
                assertThat(server.send(UpdateServer.adding("n" + i + ".example.com", "192.0.2." + i)))
                        .isEqualTo(Rcode.NOERROR);
            }
            server.settled();
            Path journal = journal();
            byte[] written = Files.readAllBytes(journal);
            // The next reader finds that the first change is corrupt, and restarts the journal after its header.
            byte[] broken = written.clone();
            broken[20]++;
            Files.write(journal, broken);

            assertThat(server.send(UpdateServer.adding("n4.example.com", "192.0.2.4")))
                    .isEqualTo(Rcode.NOERROR);
            server.settled();
            assertThat(Files.size(journal)).isGreaterThan(written.length);
        }
    }

    private Path journal() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(each -> each.toString().endsWith(".journal"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 50, 400, 1200})
    void acceptsLongUdpUpdate(int records) throws IOException {
        Update update = new Update(UpdateServer.ZONE);
        for (int i = 0; i < records; i++) {
            update.add(Messages.name("n" + i + ".example.com"), Type.TXT, 60, "x".repeat(30));
        }
        TransferFixture.tsig().apply(update, null);
        byte[] wire = update.toWire();
        assertThat(wire.length).isLessThan(65_507);
        try (UpdateServer server = UpdateServer.start(directory);
                DatagramSocket client = new DatagramSocket()) {
            client.setSoTimeout(10_000);
            client.send(new DatagramPacket(wire, wire.length, server.address()));
            DatagramPacket answer = new DatagramPacket(new byte[65_535], 65_535);
            client.receive(answer);

            Message response = new Message(Arrays.copyOf(answer.getData(), answer.getLength()));
            assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(Messages.answers(server.query("n" + (records - 1) + ".example.com", Type.TXT)))
                    .containsExactly("x".repeat(30));
        }
    }

    @Test
    void acceptedUpdateSurvivesRestart() throws IOException {
        try (UpdateServer server = UpdateServer.start(directory)) {
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);
            assertThat(server.addresses("new.example.com")).containsExactly("192.0.2.9");
            assertThat(server.serial()).isEqualTo(8);

            Update removes = new Update(UpdateServer.ZONE);
            removes.delete(Messages.name("old.example.com"));
            removes.present(Messages.name("new.example.com"), Type.A);
            assertThat(server.send(removes)).isEqualTo(Rcode.NOERROR);
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.frontend().stats().sum(DnsCounter.UPDATES_APPLIED))
                    .isEqualTo(2);
        }
        try (UpdateServer server = UpdateServer.start(directory)) {
            assertThat(server.serial()).isEqualTo(9);
            assertThat(server.addresses("new.example.com")).containsExactly("192.0.2.9");
            assertThat(server.addresses("app.example.com")).containsExactly("192.0.2.80");
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.send(UpdateServer.adding("more.example.com", "192.0.2.10")))
                    .isEqualTo(Rcode.NOERROR);
            assertThat(server.serial()).isEqualTo(10);
        }
    }

    @Test
    void textsAndUnknownTypesRoundTrip() throws IOException {
        try (UpdateServer server = UpdateServer.start(directory)) {
            Update update = new Update(UpdateServer.ZONE);
            Name name = Messages.name("text.example.com");
            update.add(name, Type.TXT, 60, "\"v=DKIM1; k=rsa\" \"a;b\" \"quote \\\" and \\\\ and \\200\" \"\"");
            update.add(name, Type.CAA, 60, "0 issue \"ca.example; account=1\"");
            update.add(Record.newRecord(name, /* type= */ 65_280, DClass.IN, 60, new byte[] {1, 2, 3}));
            assertThat(server.send(update)).isEqualTo(Rcode.NOERROR);
            assertThat(server.send(UpdateServer.adding("again.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);

            for (Record each : update.getSection(Section.UPDATE)) {
                assertThat(server.query("text.example.com", each.getType()).getSection(Section.ANSWER))
                        .containsExactly(each);
            }
        }
    }

    @Test
    void updatedZoneIsSignedImmediately() throws IOException {
        try (UpdateServer server = new UpdateServer(
                directory, UpdateServer.byKey(), Optional.of(DnssecConfig.DEFAULT), TransferFixture.byKey())) {
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);

            Message query = Messages.query("new.example.com", Type.A);
            query.addRecord(new OPTRecord(1232, 0, 0, Flags.DO), Section.ADDITIONAL);
            Message answer = Reload.query(server.address(), query);
            assertThat(answer.getSection(Section.ANSWER))
                    .extracting(record -> Type.string(record.getType()))
                    .containsExactlyInAnyOrder("A", "RRSIG");
        }
    }

    @Test
    void secondariesGetDifference() throws Exception {
        try (UpdateServer server = UpdateServer.start(directory)) {
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);

            ZoneTransferIn transfer = ZoneTransferIn.newIXFR(
                    UpdateServer.ZONE, /* serial= */ 7, /* fallback= */ true, server.address(), TransferFixture.tsig());
            transfer.run();

            assertThat(transfer.isIXFR()).isTrue();
            assertThat(transfer.getIXFR()).hasSize(1);
        }
    }

    @Test
    void acceptsNsupdate() throws Exception {
        assumeTrue(Files.isExecutable(NSUPDATE), "nsupdate is not installed");
        try (UpdateServer server = UpdateServer.start(directory)) {
            Process nsupdate = new ProcessBuilder(
                            NSUPDATE.toString(),
                            "-y",
                            "hmac-sha256:" + TransferFixture.KEY + ":" + TransferFixture.SECRET)
                    .redirectErrorStream(true)
                    .start();
            nsupdate.getOutputStream()
                    .write("""
                        server 127.0.0.1 %d
                        zone example.com
                        prereq yxrrset old.example.com A
                        prereq nxdomain new.example.com
                        update add new.example.com 60 A 192.0.2.9
                        update add _acme-challenge.example.com 60 TXT "token"
                        update delete old.example.com A 192.0.2.1
                        send
                        """.formatted(server.address().getPort()).getBytes(StandardCharsets.US_ASCII));
            nsupdate.getOutputStream().close();
            String output = new String(nsupdate.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(nsupdate.waitFor()).as(output).isZero();
            assertThat(server.addresses("new.example.com")).containsExactly("192.0.2.9");
            assertThat(server.query("_acme-challenge.example.com", Type.TXT).getSection(Section.ANSWER))
                    .hasSize(1);
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        }
    }
}
