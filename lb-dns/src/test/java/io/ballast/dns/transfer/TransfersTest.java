package io.ballast.dns.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.Type;
import org.xbill.DNS.ZoneTransferException;
import org.xbill.DNS.ZoneTransferIn;

class TransfersTest {

    private static final Name APEX = Name.fromConstantString("example.com.");
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int MANY = 100_000;

    private TransferFixture fixture;

    @BeforeEach
    void create(@TempDir Path directory) throws IOException {
        fixture = new TransferFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void signedClientGetsZone() throws Exception {
        fixture.write(TransferFixture.head(1) + """
                www CNAME app
                Mixed.Case 60 TXT "a" "b"
                sub NS ns.sub
                ns.sub A 192.0.2.53
                *.wild MX 10 mail.elsewhere.net.
                """);
        fixture.start(TransferFixture.byKey(), 10);

        List<Record> records = whole(TransferFixture.tsig());

        assertThat(texts(records))
                .containsExactlyInAnyOrder(
                        "example.com. 300 SOA ns1.example.com. hostmaster.example.com. 1 3600 600 604800 60",
                        "example.com. 300 NS ns1.example.com.",
                        "ns1.example.com. 300 A 127.0.0.1",
                        "www.example.com. 300 CNAME app.example.com.",
                        "Mixed.Case.example.com. 60 TXT a b",
                        "sub.example.com. 300 NS ns.sub.example.com.",
                        "ns.sub.example.com. 300 A 192.0.2.53",
                        "*.wild.example.com. 300 MX 10 mail.elsewhere.net.",
                        "app.example.com. 30 A 192.0.2.1",
                        "app.example.com. 30 A 192.0.2.2",
                        "example.com. 300 SOA ns1.example.com. hostmaster.example.com. 1 3600 600 604800 60");
        assertThat(counted(DnsCounter.TRANSFERS_WHOLE)).isEqualTo(1);
    }

    @Test
    void servicesHaveAllBackends() throws Exception {
        fixture.write(TransferFixture.head(1));
        fixture.start(TransferFixture.to("127.0.0.1"), 10);
        fixture.zones().set("web", "192.0.2.1", BackendState.DOWN);

        assertThat(texts(whole(null))).contains("app.example.com. 30 A 192.0.2.1", "app.example.com. 30 A 192.0.2.2");
    }

    @Test
    void otherClientsAreRefused() throws Exception {
        fixture.write(TransferFixture.head(1));
        fixture.start(TransferFixture.byKey(), 10);

        assertThatThrownBy(() -> whole(null))
                .isInstanceOf(ZoneTransferException.class)
                .hasMessageContaining("REFUSED");
        TSIG unknown = new TSIG(TSIG.HMAC_SHA256, "other.key.", TransferFixture.SECRET);
        assertThatThrownBy(() -> whole(unknown)).isInstanceOf(ZoneTransferException.class);
        assertThat(counted(DnsCounter.TRANSFERS_PROHIBITED)).isEqualTo(1);
        assertThat(counted(DnsCounter.TRANSFERS_WHOLE)).isZero();
    }

    @Test
    void networkAndKeyMustBothMatch() throws Exception {
        fixture.write(TransferFixture.head(1));
        TransferConfig other = new TransferConfig(
                TransferFixture.to("192.0.2.0/24").to(), List.of(TransferFixture.KEY), List.of(), Optional.empty());
        fixture.start(other, 10);
        assertThatThrownBy(() -> whole(TransferFixture.tsig())).hasMessageContaining("REFUSED");

        fixture.reload(new TransferConfig(
                TransferFixture.LOOPBACK, List.of(TransferFixture.KEY), List.of(), Optional.empty()));
        assertThatThrownBy(() -> whole(null)).hasMessageContaining("REFUSED");
        assertThat(whole(TransferFixture.tsig())).isNotEmpty();
    }

    @Test
    void axfrOverUdpIsRefused() throws Exception {
        fixture.write(TransferFixture.head(1));
        fixture.start(TransferFixture.to("127.0.0.1"), 10);

        Message response = udp(Messages.query("example.com", Type.AXFR));

        assertThat(response.getRcode()).isEqualTo(Rcode.REFUSED);
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
    }

    @Test
    void otherNamesAreRefused() throws Exception {
        fixture.write(TransferFixture.head(1));
        fixture.start(TransferFixture.to("127.0.0.1"), 10);

        for (String name : List.of("app.example.com", "elsewhere.net")) {
            Message response = udp(Messages.query(name, Type.AXFR));
            assertThat(response.getRcode()).isEqualTo(Rcode.REFUSED);
        }
        assertThat(counted(DnsCounter.TRANSFERS_PROHIBITED)).isZero();
    }

    @Test
    void largeZoneUsesManySignedMessages() throws Exception {
        fixture.write(TransferFixture.head(1)
                + IntStream.range(0, MANY)
                        .mapToObj(i -> "n" + i + " A 192.0.2." + i % 250)
                        .collect(Collectors.joining("\n"))
                + "\n");
        fixture.start(TransferFixture.byKey(), 10);

        List<Record> records = whole(TransferFixture.tsig());

        assertThat(records).hasSize(MANY + 6);
        assertThat(new TreeSet<>(records)).hasSize(MANY + 5);
    }

    @Test
    void firstMessageHasQuestionAndOpt() throws Exception {
        fixture.write(TransferFixture.head(1));
        fixture.start(TransferFixture.to("127.0.0.1"), 10);
        try (StreamClient client = new StreamClient(fixture.address())) {
            client.send(StreamClient.framed(Messages.query("EXAMPLE.com", Type.AXFR, new OPTRecord(4096, 0, 0))
                    .toWire()));
            Message response = client.receive();

            assertThat(response.getQuestion().getName()).hasToString("EXAMPLE.com.");
            assertThat(response.getOPT()).isNotNull();
            assertThat(response.getSection(Section.ANSWER)).hasSize(6);
        }
    }

    @Test
    void limitsConcurrentTransfers() throws Exception {
        StringBuilder zone = new StringBuilder(TransferFixture.head(1));
        for (int i = 0; i < MANY; i++) {
            zone.append('n').append(i).append(" TXT \"").append("x".repeat(100)).append("\"\n");
        }
        fixture.write(zone.toString());
        fixture.start(TransferFixture.to("127.0.0.1"), 1);
        byte[] query =
                StreamClient.framed(Messages.query("example.com", Type.AXFR).toWire());
        try (StreamClient slow = new StreamClient(fixture.address());
                StreamClient second = new StreamClient(fixture.address())) {
            slow.send(query);
            Message first = slow.receive(); // the client stops reading, so that the other messages wait

            second.send(query);
            assertThat(first.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(second.receive().getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(counted(DnsCounter.TRANSFERS_OVERLOADED)).isEqualTo(1);
        }
        awaitCount(DnsCounter.TRANSFERS_CUT);
        assertThat(whole(null)).hasSize(MANY + 6);
    }

    @Test
    void ixfrSendsDifferences() throws Exception {
        fixture.write(TransferFixture.head(1) + "a A 192.0.2.1\nb A 192.0.2.2\nc 60 A 192.0.2.3\n");
        fixture.start(TransferFixture.byKey(), 10);
        fixture.write(TransferFixture.head(2) + "a A 192.0.2.1\nb A 192.0.2.22\nc 90 A 192.0.2.3\n");
        fixture.reload(TransferFixture.byKey());
        fixture.write(TransferFixture.head(5) + "a A 192.0.2.1\nb A 192.0.2.22\nc 90 A 192.0.2.3\nd A 192.0.2.4\n");
        fixture.reload(TransferFixture.byKey());

        ZoneTransferIn transfer = changes(1);

        assertThat(transfer.isIXFR()).isTrue();
        List<ZoneTransferIn.Delta> deltas = transfer.getIXFR();
        assertThat(deltas).hasSize(2);
        assertThat(texts(deltas.get(0).deletes.subList(1, deltas.get(0).deletes.size())))
                .containsExactlyInAnyOrder("b.example.com. 300 A 192.0.2.2", "c.example.com. 60 A 192.0.2.3");
        assertThat(texts(deltas.get(0).adds.subList(1, deltas.get(0).adds.size())))
                .containsExactlyInAnyOrder("b.example.com. 300 A 192.0.2.22", "c.example.com. 90 A 192.0.2.3");
        assertThat(deltas.get(1).start).isEqualTo(2);
        assertThat(deltas.get(1).end).isEqualTo(5);
        assertThat(deltas.get(1).deletes).hasSize(1);
        assertThat(texts(deltas.get(1).adds)).contains("d.example.com. 300 A 192.0.2.4");
        assertThat(counted(DnsCounter.TRANSFERS_INCREMENTAL)).isEqualTo(1);
        assertThat(changes(5).isCurrent()).isTrue();
        assertThat(changes(4).isAXFR()).isTrue();
    }

    @Test
    void unchangedSerialHasNoHistory() throws Exception {
        fixture.write(TransferFixture.head(1) + "a A 192.0.2.1\n");
        fixture.start(TransferFixture.byKey(), 10);
        fixture.write(TransferFixture.head(1) + "a A 192.0.2.2\n");
        fixture.reload(TransferFixture.byKey());
        fixture.write(TransferFixture.head(2) + "a A 192.0.2.3\n");
        fixture.reload(TransferFixture.byKey());

        assertThat(changes(1).isAXFR()).isTrue();
    }

    @Test
    void udpIxfrSendsDifferencesOrSerial() throws Exception {
        fixture.write(TransferFixture.head(1));
        fixture.start(TransferFixture.to("127.0.0.1"), 10);
        fixture.write(TransferFixture.head(2) + "a A 192.0.2.1\n");
        fixture.reload(TransferFixture.to("127.0.0.1"));
        StringBuilder large = new StringBuilder(TransferFixture.head(3)).append("a A 192.0.2.1\n");
        for (int i = 0; i < 100; i++) {
            large.append('b').append(i).append(" A 192.0.2.2\n");
        }

        assertThat(udp(ixfr(1)).getSection(Section.ANSWER)).hasSize(5);
        fixture.write(large.toString());
        fixture.reload(TransferFixture.to("127.0.0.1"));

        List<Record> start = udp(ixfr(1)).getSection(Section.ANSWER);
        assertThat(start).hasSize(1);
        assertThat(((SOARecord) start.get(0)).getSerial()).isEqualTo(3);
    }

    @Test
    void ixfrWithoutSerialIsFormerr() throws Exception {
        fixture.write(TransferFixture.head(1));
        fixture.start(TransferFixture.to("127.0.0.1"), 10);

        assertThat(udp(Messages.query("example.com", Type.IXFR)).getRcode()).isEqualTo(Rcode.FORMERR);
    }

    /** Sends a query over UDP without dnsjava's resolver, which would retry over TCP. */
    private Message udp(Message query) throws IOException {
        byte[] wire = query.toWire();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(fixture.address());
            socket.send(new DatagramPacket(wire, wire.length));
            DatagramPacket answer = new DatagramPacket(new byte[65_535], 65_535);
            socket.receive(answer);
            return Messages.parse(Arrays.copyOf(answer.getData(), answer.getLength()));
        }
    }

    private static Message ixfr(long serial) {
        Message query = Messages.query("example.com", Type.IXFR);
        query.addRecord(
                new SOARecord(APEX, org.xbill.DNS.DClass.IN, 0, Name.root, Name.root, serial, 0, 0, 0, 0),
                Section.AUTHORITY);
        return query;
    }

    private List<Record> whole(TSIG key) throws Exception {
        ZoneTransferIn transfer = ZoneTransferIn.newAXFR(APEX, fixture.address(), key);
        transfer.run();
        return transfer.getAXFR();
    }

    private ZoneTransferIn changes(long serial) throws Exception {
        ZoneTransferIn transfer =
                ZoneTransferIn.newIXFR(APEX, serial, /* fallback= */ false, fixture.address(), TransferFixture.tsig());
        transfer.run();
        return transfer;
    }

    private static List<String> texts(List<Record> records) {
        List<String> texts = new ArrayList<>();
        for (Record each : records) {
            texts.add(each.getName() + " " + each.getTTL() + " " + Type.string(each.getType()) + " "
                    + each.rdataToString());
        }
        return texts;
    }

    private long counted(DnsCounter counter) {
        return fixture.frontend().stats().sum(counter);
    }

    private void awaitCount(DnsCounter counter) {
        long started = System.nanoTime();
        while (counted(counter) == 0) {
            assertThat(System.nanoTime() - started).isLessThan(10_000_000_000L);
            Thread.onSpinWait();
        }
    }
}
