package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.net.Cidr;
import io.ballast.dns.DnsChange;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.UpdateConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.Type;
import org.xbill.DNS.Update;
import org.xbill.DNS.ZoneTransferIn;

/** Tests the answers that clients receive from a zone changed by update messages. */
class UpdatesTest {

    private static final Path NSUPDATE = Path.of("/usr/bin/nsupdate");
    private static final Name ZONE = Messages.name("example.com");

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = directory.resolve("zone");
        Files.writeString(file, TransferFixture.head(7) + "old A 192.0.2.1\n");
    }

    private UpdateServer server() throws IOException {
        return new UpdateServer(directory, UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey());
    }

    private static Update adds(String name, String address) throws IOException {
        Update update = new Update(ZONE);
        update.add(Messages.name(name), Type.A, 60, address);
        return update;
    }

    private static long serial(UpdateServer server) throws IOException {
        Message answer = server.query("example.com", Type.SOA);
        return ((SOARecord) answer.getSection(Section.ANSWER).get(0)).getSerial();
    }

    private static List<String> addresses(UpdateServer server, String name) throws IOException {
        return Messages.answers(server.query(name, Type.A));
    }

    @Test
    void updateCompilesOnlyItsZone() throws Exception {
        Files.writeString(
                directory.resolve("second"),
                TransferFixture.head(7).replace("example.com", "example.net") + "www A 192.0.2.2\n");
        try (UpdateServer server = server()) {
            assertThat(server.frontend().zones().compiledZoneCount()).isEqualTo(2);

            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);
            server.settled();
            assertThat(server.frontend().zones().compiledZoneCount()).isOne();
            assertThat(server.send(adds("newer.example.com", "192.0.2.10"))).isEqualTo(Rcode.NOERROR);
            server.settled();
            assertThat(server.frontend().zones().compiledZoneCount()).isOne();
        }
    }

    @Test
    void updateDoesNotReadJournal() throws Exception {
        try (UpdateServer server = server()) {
            for (int i = 1; i <= 3; i++) {
                assertThat(server.send(adds("n" + i + ".example.com", "192.0.2." + i)))
                        .isEqualTo(Rcode.NOERROR);
            }
            server.settled();
            Path journal = journal();
            byte[] written = Files.readAllBytes(journal);
            // The next reader finds that the first change is corrupt, and restarts the journal after its header.
            byte[] broken = written.clone();
            broken[20]++;
            Files.write(journal, broken);

            assertThat(server.send(adds("n4.example.com", "192.0.2.4"))).isEqualTo(Rcode.NOERROR);
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
        Update update = new Update(ZONE);
        for (int i = 0; i < records; i++) {
            update.add(Messages.name("n" + i + ".example.com"), Type.TXT, 60, "x".repeat(30));
        }
        TransferFixture.tsig().apply(update, null);
        byte[] wire = update.toWire();
        assertThat(wire.length).isLessThan(65_507);
        try (UpdateServer server = server();
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
        try (UpdateServer server = server()) {
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);
            assertThat(addresses(server, "new.example.com")).containsExactly("192.0.2.9");
            assertThat(serial(server)).isEqualTo(8);

            Update removes = new Update(ZONE);
            removes.delete(Messages.name("old.example.com"));
            removes.present(Messages.name("new.example.com"), Type.A);
            assertThat(server.send(removes)).isEqualTo(Rcode.NOERROR);
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.frontend().stats().sum(DnsCounter.UPDATES_APPLIED))
                    .isEqualTo(2);
        }
        try (UpdateServer server = server()) {
            assertThat(serial(server)).isEqualTo(9);
            assertThat(addresses(server, "new.example.com")).containsExactly("192.0.2.9");
            assertThat(addresses(server, "app.example.com")).containsExactly("192.0.2.80");
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.send(adds("more.example.com", "192.0.2.10"))).isEqualTo(Rcode.NOERROR);
            assertThat(serial(server)).isEqualTo(10);
        }
    }

    @Test
    void textsAndUnknownTypesRoundTrip() throws IOException {
        try (UpdateServer server = server()) {
            Update update = new Update(ZONE);
            Name name = Messages.name("text.example.com");
            update.add(name, Type.TXT, 60, "\"v=DKIM1; k=rsa\" \"a;b\" \"quote \\\" and \\\\ and \\200\" \"\"");
            update.add(name, Type.CAA, 60, "0 issue \"ca.example; account=1\"");
            update.add(Record.newRecord(name, /* type= */ 65_280, DClass.IN, 60, new byte[] {1, 2, 3}));
            assertThat(server.send(update)).isEqualTo(Rcode.NOERROR);
            assertThat(server.send(adds("again.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);

            for (Record each : update.getSection(Section.UPDATE)) {
                assertThat(server.query("text.example.com", each.getType()).getSection(Section.ANSWER))
                        .containsExactly(each);
            }
        }
    }

    @Test
    void failedPrerequisiteOrForeignNameChangesNothing() throws IOException {
        try (UpdateServer server = server()) {
            Update unmet = adds("new.example.com", "192.0.2.9");
            unmet.absent(Messages.name("old.example.com"));
            Update ofService = adds("app.example.com", "192.0.2.9");
            Update outside = adds("new.example.com", "192.0.2.9");
            outside.add(Messages.name("new.example.net"), Type.A, 60, "192.0.2.9");

            assertThat(server.send(unmet)).isEqualTo(Rcode.YXDOMAIN);
            assertThat(server.send(ofService)).isEqualTo(Rcode.REFUSED);
            assertThat(server.send(outside)).isEqualTo(Rcode.NOTZONE);
            assertThat(server.send(new Update(Messages.name("example.net")))).isEqualTo(Rcode.NOTAUTH);
            assertThat(serial(server)).isEqualTo(7);
            assertThat(server.query("new.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(directory.resolve("updates")).doesNotExist();
        }
    }

    @Test
    void countsResponseCodes() throws IOException {
        try (UpdateServer server = server()) {
            Update unmet = adds("new.example.com", "192.0.2.9");
            unmet.absent(Messages.name("old.example.com"), Type.A);
            Update missing = adds("new.example.com", "192.0.2.9");
            missing.present(Messages.name("old.example.com"), Type.AAAA);
            Update outside = adds("new.example.net", "192.0.2.9");

            assertThat(server.send(unmet)).isEqualTo(Rcode.YXRRSET);
            assertThat(server.send(missing)).isEqualTo(Rcode.NXRRSET);
            assertThat(server.send(outside)).isEqualTo(Rcode.NOTZONE);
            server.query("example.com", Type.SOA); // after this query, earlier counts are visible
            DnsStats stats = server.frontend().stats();
            assertThat(stats.sum(DnsCounter.SERVFAIL)).isZero();
        }
    }

    @Test
    void unknownEdnsVersionChangesNothing() throws IOException {
        try (UpdateServer server = server()) {
            Update later = adds("new.example.com", "192.0.2.9");
            later.addRecord(new OPTRecord(1232, /* xrcode= */ 0, /* version= */ 1), Section.ADDITIONAL);
            later.setTSIG(TransferFixture.tsig());

            assertThat(Reload.query(server.address(), later).getRcode()).isEqualTo(Rcode.BADVERS);
            assertThat(serial(server)).isEqualTo(7);
        }
    }

    @Test
    void requiresKeyAndNetwork() throws IOException {
        UpdateConfig nonLocal = new UpdateConfig(List.of(TransferFixture.KEY), List.of(Cidr.parse("192.0.2.0/24")));
        try (UpdateServer server = server()) {
            SimpleResolver unsigned = new SimpleResolver(server.address());
            assertThat(unsigned.send(adds("new.example.com", "192.0.2.9")).getRcode())
                    .isEqualTo(Rcode.REFUSED);
            SimpleResolver wrong = new SimpleResolver(server.address());
            wrong.setTSIGKey(new TSIG(
                    TSIG.HMAC_SHA256, TransferFixture.KEY + ".", "YW5vdGhlciBzZWNyZXQgdGhhdCBpcyBub3Qga25vd24="));
            assertThatThrownBy(() -> {
                        Message answer = wrong.send(adds("new.example.com", "192.0.2.9"));
                        throw new IOException(Rcode.string(answer.getRcode()));
                    })
                    .isInstanceOf(IOException.class);
            assertThat(serial(server)).isEqualTo(7);
        }
        try (UpdateServer server = new UpdateServer(directory, nonLocal, Optional.empty(), TransferFixture.byKey())) {
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.REFUSED);
            assertThat(server.frontend().stats().sum(DnsCounter.UPDATES_PROHIBITED))
                    .isOne();
        }
    }

    @Test
    void updatedZoneIsSignedImmediately() throws IOException {
        try (UpdateServer server = new UpdateServer(
                directory, UpdateServer.byKey(), Optional.of(DnssecConfig.DEFAULT), TransferFixture.byKey())) {
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);

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
        try (UpdateServer server = server()) {
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);

            ZoneTransferIn transfer = ZoneTransferIn.newIXFR(
                    ZONE, /* serial= */ 7, /* fallback= */ true, server.address(), TransferFixture.tsig());
            transfer.run();

            assertThat(transfer.isIXFR()).isTrue();
            assertThat(transfer.getIXFR()).hasSize(1);
        }
    }

    @Test
    void failedWriteChangesNothing() throws IOException {
        Files.writeString(directory.resolve("updates"), "a file where the directory should be");
        try (UpdateServer server = server()) {
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.SERVFAIL);
            assertThat(serial(server)).isEqualTo(7);
            assertThat(server.frontend().stats().sum(DnsCounter.UPDATES_FAILED)).isOne();

            Files.delete(directory.resolve("updates"));
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);
            assertThat(addresses(server, "new.example.com")).containsExactly("192.0.2.9");
        }
    }

    @Test
    void unservableUpdateChangesNothing() throws IOException {
        try (UpdateServer server = server()) {
            Update broken = new Update(ZONE);
            broken.add(Messages.name("sub.example.com"), Type.DNAME, 60, "elsewhere.example.");
            broken.add(Messages.name("sub.example.com"), Type.NS, 60, "ns1.example.com.");

            assertThat(server.send(broken)).isEqualTo(Rcode.SERVFAIL);
            assertThat(serial(server)).isEqualTo(7);
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);
            assertThat(serial(server)).isEqualTo(8);
        }
    }

    @Test
    void unservableUpdateDoesNotFailOthers() throws Exception {
        Update broken = new Update(ZONE);
        broken.add(Messages.name("sub.example.com"), Type.DNAME, 60, "elsewhere.example.");
        broken.add(Messages.name("sub.example.com"), Type.NS, 60, "ns1.example.com.");
        List<Update> updates =
                List.of(adds("a.example.com", "192.0.2.11"), broken, adds("b.example.com", "192.0.2.12"));
        try (UpdateServer server = server();
                StreamClient client = new StreamClient(server.address())) {
            Runnable release = server.hold();
            for (Update each : updates) {
                send(each, client);
            }
            send(Messages.query("example.com", Type.SOA), client);
            assertThat(client.receive().getQuestion().getType()).isEqualTo(Type.SOA); // all updates are queued now
            release.run();
            Map<Integer, Integer> codes = new HashMap<>();
            for (int i = 0; i < updates.size(); i++) {
                Message answer = client.receive();
                codes.put(answer.getHeader().getID(), answer.getRcode());
            }

            assertThat(updates.stream().map(each -> codes.get(each.getHeader().getID())))
                    .containsExactly(Rcode.NOERROR, Rcode.SERVFAIL, Rcode.NOERROR);
            assertThat(addresses(server, "a.example.com")).containsExactly("192.0.2.11");
            assertThat(addresses(server, "b.example.com")).containsExactly("192.0.2.12");
            assertThat(serial(server)).isEqualTo(9);
        }
    }

    private static void send(Message message, StreamClient client) throws IOException {
        message.setTSIG(TransferFixture.tsig());
        client.send(StreamClient.framed(message.toWire(Message.MAXLENGTH)));
    }

    @Test
    void otherEditedZoneWaitsForReload() throws Exception {
        Path other = Files.writeString(
                directory.resolve("second"),
                TransferFixture.head(1).replace("example.com", "example.net") + "www A 192.0.2.1\n");
        try (UpdateServer server = server()) {
            Files.writeString(
                    other,
                    TransferFixture.head(2).replace("example.com", "example.net") + "www A 192.0.2.2\nmore A 192.0");
            assertThat(server.send(adds("a.example.com", "192.0.2.11"))).isEqualTo(Rcode.NOERROR);
            Files.writeString(
                    other, TransferFixture.head(2).replace("example.com", "example.net") + "www A 192.0.2.2\n");
            assertThat(server.send(adds("b.example.com", "192.0.2.12"))).isEqualTo(Rcode.NOERROR);

            assertThat(addresses(server, "www.example.net")).containsExactly("192.0.2.1");
            server.reload(server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey()));
            assertThat(addresses(server, "www.example.net")).containsExactly("192.0.2.2");
        }
    }

    @Test
    void fileChangesAreMerged() throws Exception {
        try (UpdateServer server = server()) {
            server.send(adds("new.example.com", "192.0.2.9"));
            Files.writeString(file, TransferFixture.head(8) + "edited A 192.0.2.5\n");
            server.reload(server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey()));

            assertThat(addresses(server, "edited.example.com")).containsExactly("192.0.2.5");
            assertThat(addresses(server, "new.example.com")).containsExactly("192.0.2.9");
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(serial(server)).isEqualTo(9);
            assertThat(server.send(adds("more.example.com", "192.0.2.10"))).isEqualTo(Rcode.NOERROR);
        }
        try (UpdateServer server = server()) {
            assertThat(addresses(server, "edited.example.com")).containsExactly("192.0.2.5");
            assertThat(addresses(server, "more.example.com")).containsExactly("192.0.2.10");
            assertThat(serial(server)).isEqualTo(10);
        }
    }

    @Test
    void commitWritesNoFile() throws Exception {
        Path prepared = directory.resolve("updates/example.com.prepared");
        try (UpdateServer server = server()) {
            server.send(adds("new.example.com", "192.0.2.9"));
            Files.writeString(file, TransferFixture.head(8) + "edited A 192.0.2.5\n");
            Runnable release = server.hold();
            try (DnsChange change =
                    server.prepare(server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey()))) {
                change.commit();
                change.releasePrevious();
            }

            assertThat(prepared).exists();
            assertThat(addresses(server, "edited.example.com")).containsExactly("192.0.2.5");
            release.run();
            server.settled();
            assertThat(prepared).doesNotExist();
        }
    }

    @Test
    void directoryIsReleasedAfterUpdates() throws Exception {
        try (UpdateServer server = server();
                StreamClient client = new StreamClient(server.address())) {
            Runnable release = server.hold();
            send(adds("new.example.com", "192.0.2.9"), client);
            send(Messages.query("example.com", Type.SOA), client);
            client.receive(); // the update is queued now
            CompletableFuture<Void> left = server.frontend().pauseManagedZones();

            assertThat(left).isNotDone();
            release.run();
            left.get(10, TimeUnit.SECONDS);
            assertThat(client.receive().getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(directory.resolve("updates")).doesNotExist();
        }
    }

    @Test
    void updateDuringHandoverIsRetryable() throws IOException {
        try (UpdateServer server = server()) {
            CompletableFuture<Void> unused = server.frontend().pauseManagedZones();
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.SERVFAIL);
            server.frontend().beginManagedZones();
            assertThat(server.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void takesOverUpdatesOfOtherProcess() throws Exception {
        try (UpdateServer next = server()) {
            CompletableFuture<Void> unused = next.frontend().pauseManagedZones();
            try (UpdateServer before = server()) {
                assertThat(before.send(adds("new.example.com", "192.0.2.9"))).isEqualTo(Rcode.NOERROR);
            }
            Files.writeString(file, TransferFixture.head(7) + "edited A 192.0.2.5\n");
            assertThat(next.query("new.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            next.frontend().beginManagedZones();

            next.settled();
            assertThat(addresses(next, "new.example.com")).containsExactly("192.0.2.9");
            assertThat(addresses(next, "edited.example.com")).containsExactly("192.0.2.5");
            assertThat(serial(next)).isEqualTo(9);
        }
    }

    @Test
    void acceptsNsupdate() throws Exception {
        assumeTrue(Files.isExecutable(NSUPDATE), "nsupdate is not installed");
        try (UpdateServer server = server()) {
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
            assertThat(addresses(server, "new.example.com")).containsExactly("192.0.2.9");
            assertThat(server.query("_acme-challenge.example.com", Type.TXT).getSection(Section.ANSWER))
                    .hasSize(1);
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        }
    }
}
