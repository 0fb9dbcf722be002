package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Tests many reloads under continuous queries. */
class ReloadUnderLoadTest {

    private static final int CHANGES = 50;
    private static final int UDP_CLIENTS = 3;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int ANSWERS_BETWEEN = 20;
    private static final int OPTION_HEADER_BYTES = 4;

    private final ZoneFixture fixture = new ZoneFixture();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong answered = new AtomicLong();

    @TempDir
    private Path directory;

    /**
     * Each configuration has its number in an alias, in its address and in the server name, so that a mixed answer is
     * detected.
     */
    @Test
    void reloadsLoseNoQueryAndMixNoAnswers() throws Exception {
        HostPort lasting = Reload.free();
        HostPort passing = Reload.free();
        ExecutorService clients = Executors.newCachedThreadPool();
        try (DnsFrontend frontend = DnsFrontend.start(config(0, lasting), fixture.topology(), 2, TransportKind.AUTO)) {
            List<Future<Integer>> flows = new ArrayList<>();
            for (int i = 0; i < UDP_CLIENTS; i++) {
                flows.add(clients.submit((Callable<Integer>) () -> queryOverUdp(lasting)));
            }
            flows.add(clients.submit((Callable<Integer>) () -> queryOverTcp(lasting)));
            for (int i = 1; i <= CHANGES; i++) {
                boolean both = i % 2 == 1;
                Reload.apply(frontend, both ? config(i, lasting, passing) : config(i, lasting), fixture);
                awaitAnswers(flows);
            }
            over.set(true);
            for (Future<Integer> flow : flows) {
                assertThat(flow.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(CHANGES);
            }
            assertThat(frontend.stats().sum(DnsCounter.ERRORS)).isZero();
            assertThat(frontend.stats().sum(DnsCounter.DROPPED)).isZero();
        } finally {
            over.set(true);
            clients.shutdownNow();
        }
    }

    private DnsConfig config(int number, HostPort... listeners) throws IOException {
        Path file = directory.resolve("example.org.zone");
        Files.writeString(
                file,
                "@ 60 SOA ns1 hostmaster " + (1000 + number) + " 7200 3600 1209600 60\n@ 60 NS ns1\n"
                        + "ns1 60 A 192.0.2.53\nwww 60 CNAME t" + number + "\nt" + number + " 60 A 192.0.2." + number
                        + "\n" + ";".repeat(number) + "\n");
        fixture.withoutZones();
        fixture.zone("example.org", file);
        DnsConfig plain = fixture.dns(listeners);
        return plain.toBuilder().nsid(Optional.of(String.valueOf(number))).build();
    }

    /** Waits until the clients have got enough answers from the new configuration. */
    private void awaitAnswers(List<Future<Integer>> flows) {
        long enough = answered.get() + ANSWERS_BETWEEN;
        while (answered.get() < enough && flows.stream().noneMatch(Future::isDone)) {
            Thread.onSpinWait();
        }
    }

    private int queryOverUdp(HostPort server) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            int last = 0;
            while (!over.get()) {
                Message query = query();
                byte[] wire = query.toWire();
                socket.send(new DatagramPacket(wire, wire.length, Reload.socketAddress(server)));
                DatagramPacket response = new DatagramPacket(new byte[1232], 1232);
                socket.receive(response);
                Message answer = Messages.parse(Arrays.copyOf(response.getData(), response.getLength()));
                assertThat(answer.getHeader().getID())
                        .isEqualTo(query.getHeader().getID());
                last = check(answer, last);
            }
            return last;
        }
    }

    private int queryOverTcp(HostPort server) throws IOException {
        try (StreamClient client = new StreamClient(Reload.socketAddress(server))) {
            int last = 0;
            while (!over.get()) {
                client.send(StreamClient.framed(query().toWire()));
                last = check(client.receive(), last);
            }
            return last;
        }
    }

    /** Returns the number of the configuration that made an answer; it must never decrease. */
    private int check(Message answer, int last) {
        assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
        byte[] name = answer.getOPT().getOptions(EDNSOption.Code.NSID).get(0).toWire();
        int number = Integer.parseInt(
                new String(name, OPTION_HEADER_BYTES, name.length - OPTION_HEADER_BYTES, StandardCharsets.US_ASCII));
        assertThat(Messages.answers(answer)).containsExactly("t" + number + ".example.org.", "192.0.2." + number);
        assertThat(number).isGreaterThanOrEqualTo(last);
        answered.incrementAndGet();
        return number;
    }

    private static Message query() {
        return Messages.query(
                "www.example.org",
                Type.A,
                new OPTRecord(1232, 0, 0, 0, List.of(new GenericEDNSOption(EDNSOption.Code.NSID, new byte[0]))));
    }
}
