package io.ballast.dns.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.Type;

class NotifierTest {

    private static final Name ZONE = Name.fromConstantString("example.com.");
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int SILENCE_MILLIS = 100;

    private final DnsStats stats = new DnsStats(1);
    private DatagramSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        server.setSoTimeout(TIMEOUT_MILLIS);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void notifyIsRepeatedUntilAcknowledged() throws IOException {
        try (Notifier notifier = new Notifier(stats.shard(0), Duration.ofMillis(500))) {
            notifier.sendNotify(address(), ZONE, version(7), Optional.empty());
            Received first = receive();
            Received second = receive();
            answer(second, Rcode.NOERROR, null);
            await(DnsCounter.NOTIFIES_ACKNOWLEDGED);

            Message message = second.message();
            assertThat(first.message().getHeader().getID())
                    .isEqualTo(message.getHeader().getID());
            assertThat(message.getHeader().getOpcode()).isEqualTo(Opcode.NOTIFY);
            assertThat(message.getHeader().getFlag(Flags.AA)).isTrue();
            assertThat(message.getQuestion().getName()).isEqualTo(ZONE);
            assertThat(message.getQuestion().getType()).isEqualTo(Type.SOA);
            assertThat(((SOARecord) message.getSection(Section.ANSWER).get(0)).getSerial())
                    .isEqualTo(7);
        }
        assertThat(stats.sum(DnsCounter.NOTIFIES_FAILED)).isZero();
    }

    @Test
    void messagesAndResponsesAreSigned() throws IOException {
        TSIG key = TransferFixture.tsig();
        try (Notifier notifier = new Notifier(stats.shard(0), Duration.ofMillis(500))) {
            notifier.sendNotify(address(), ZONE, version(7), Optional.of(key));
            Received received = receive();
            assertThat(key.verify(received.message(), received.bytes(), null)).isEqualTo(Rcode.NOERROR);
            answer(received, Rcode.NOERROR, null);
            Received again = receive(); // the message is sent again, because an unsigned reply is ignored

            answer(again, Rcode.NOERROR, key);
            await(DnsCounter.NOTIFIES_ACKNOWLEDGED);
        }
    }

    @Test
    void refusalEndsNotification() throws IOException {
        try (Notifier notifier = new Notifier(stats.shard(0), Duration.ofHours(1))) {
            notifier.sendNotify(address(), ZONE, version(7), Optional.empty());
            answer(receive(), Rcode.REFUSED, null);

            await(DnsCounter.NOTIFIES_FAILED);
        }
    }

    @Test
    void silenceEndsAfterRetries() throws IOException {
        try (Notifier notifier = new Notifier(stats.shard(0), Duration.ofMillis(1))) {
            notifier.sendNotify(address(), ZONE, version(7), Optional.empty());
            for (int i = 0; i < Notifier.MAX_TRIES; i++) {
                assertThat(receive().message().getQuestion()).isNotNull();
            }
            await(DnsCounter.NOTIFIES_FAILED);
        }
    }

    @Test
    void newerVersionReplacesPendingNotification() throws IOException {
        try (Notifier notifier = new Notifier(stats.shard(0), Duration.ofHours(1))) {
            notifier.sendNotify(address(), ZONE, version(7), Optional.empty());
            Received older = receive();
            notifier.sendNotify(address(), ZONE, version(8), Optional.empty());
            Received newer = receive();
            // The reply is ignored, because the port of the older notification is closed.
            answer(older, Rcode.REFUSED, null);
            answer(newer, Rcode.NOERROR, null);
            await(DnsCounter.NOTIFIES_ACKNOWLEDGED);

            assertThat(stats.sum(DnsCounter.NOTIFIES_FAILED)).isZero();
        }
    }

    @Test
    void limitsNotificationsInFlightPerServer() throws IOException {
        int zones = 200;
        try (Notifier notifier = new Notifier(stats.shard(0), Duration.ofHours(1))) {
            for (int i = 0; i < zones; i++) {
                Name zone = Name.fromString("z" + i + ".example.com.");
                notifier.sendNotify(address(), zone, version(7), Optional.empty());
            }
            Set<Name> received = new HashSet<>();
            while (received.size() < zones) {
                List<Received> unanswered = receiveUntilSilence();
                assertThat(unanswered).isNotEmpty().hasSizeLessThanOrEqualTo(64);
                for (Received each : unanswered) {
                    received.add(each.message().getQuestion().getName());
                    answer(each, Rcode.NOERROR, null);
                }
            }
            await(DnsCounter.NOTIFIES_ACKNOWLEDGED, zones);
        }
        assertThat(stats.sum(DnsCounter.NOTIFIES_FAILED)).isZero();
    }

    /** Receives messages until none arrives for a while. A slow machine may receive fewer; that is no failure. */
    private List<Received> receiveUntilSilence() throws IOException {
        List<Received> received = new ArrayList<>(List.of(receive()));
        server.setSoTimeout(SILENCE_MILLIS);
        try {
            while (true) {
                received.add(receive());
            }
        } catch (SocketTimeoutException e) {
            return received;
        } finally {
            server.setSoTimeout(TIMEOUT_MILLIS);
        }
    }

    private static SOARecord version(long serial) {
        return new SOARecord(ZONE, DClass.IN, 60, ZONE, ZONE, serial, 1, 1, 1, 1);
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Received(Message message, byte[] bytes, InetSocketAddress from) {}

    private Received receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        server.receive(packet);
        byte[] bytes = Arrays.copyOf(packet.getData(), packet.getLength());
        return new Received(Messages.parse(bytes), bytes, (InetSocketAddress) packet.getSocketAddress());
    }

    private void answer(Received received, int rcode, TSIG key) throws IOException {
        Message answer = new Message(received.message().getHeader().getID());
        answer.getHeader().setOpcode(Opcode.NOTIFY);
        answer.getHeader().setFlag(Flags.QR);
        answer.getHeader().setRcode(rcode);
        answer.addRecord(received.message().getQuestion(), Section.QUESTION);
        if (key != null) {
            key.apply(answer, received.message().getTSIG());
        }
        byte[] bytes = answer.toWire(65_535);
        server.send(new DatagramPacket(bytes, bytes.length, received.from()));
    }

    private void await(DnsCounter counter) {
        await(counter, 1);
    }

    private void await(DnsCounter counter, int count) {
        long started = System.nanoTime();
        while (stats.sum(counter) < count) {
            assertThat(System.nanoTime() - started).isLessThan(1_000_000L * TIMEOUT_MILLIS);
            Thread.onSpinWait();
        }
    }
}
