package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.config.HostPort;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.LocalAddresses;
import io.ballast.net.listen.PortCheck;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** Tests wildcard listeners: they respond from the queried address, even if the address was added later. */
class WildcardTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int TRIES = 20;

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    @ParameterizedTest(name = "{displayName} [{index}]: {0} {1}")
    @CsvSource({"AUTO,0.0.0.0", "NIO,0.0.0.0", "AUTO,::", "NIO,::"})
    void answersFromQueriedLocalAddress(TransportKind transport, String wildcard) throws IOException {
        try (DnsFrontend frontend = start(transport, wildcard, 0)) {
            assertThat(frontend.addresses().stream()
                            .map(InetSocketAddress::getPort)
                            .distinct())
                    .hasSize(1);

            for (InetAddress address : LocalAddresses.of(wildcard)) {
                assertThat(answers(address, port(frontend), false)).isEqualTo(2);
                assertThat(answers(address, port(frontend), true)).isEqualTo(2);
            }
        }
    }

    /** Tests queries to addresses that no interface lists: the loopback interface lists only its first address. */
    @Test
    void answersFromAddressWithoutInterface() throws IOException {
        assumeTrue(DirectUdp.unavailabilityReason().isEmpty());
        try (DnsFrontend frontend = start(TransportKind.AUTO, "0.0.0.0", 0)) {
            assertThat(frontend.addresses())
                    .containsExactly(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), port(frontend)));
            for (String address : new String[] {"127.0.0.2", "127.1.2.3"}) {
                InetAddress queried = InetAddress.getByName(address);
                assertThat(answers(queried, port(frontend), false)).isEqualTo(2);
                assertThat(answers(queried, port(frontend), true)).isEqualTo(2);
            }
        }
    }

    /** Tests batches that contain datagrams for different local addresses. */
    @Test
    void batchIsAnsweredFromEachAddress() throws Exception {
        assumeTrue(DirectUdp.unavailabilityReason().isEmpty());
        try (DnsFrontend frontend = start(TransportKind.AUTO, "0.0.0.0", 0)) {
            List<DatagramSocket> clients = new ArrayList<>();
            try {
                for (int i = 1; i <= 100; i++) {
                    DatagramSocket client = new DatagramSocket();
                    clients.add(client);
                    client.setSoTimeout((int) TIMEOUT.toMillis());
                    // The socket is connected, so the kernel drops datagrams from other addresses.
                    client.connect(InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) i}), port(frontend));
                }
                for (int round = 0; round < 3; round++) {
                    byte[] query = Messages.query("app.example.com", Type.A).toWire();
                    for (DatagramSocket client : clients) {
                        client.send(new DatagramPacket(query, query.length));
                    }
                    for (DatagramSocket client : clients) {
                        client.receive(new DatagramPacket(new byte[512], 512));
                    }
                }
            } finally {
                clients.forEach(DatagramSocket::close);
            }
        }
    }

    /**
     * Tests a port that is in use on an unlisted address, as with systemd-resolved. The wildcard address cannot be
     * bound, but every address that an interface lists can be bound.
     */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = TransportKind.class,
            names = {"AUTO", "NIO"})
    void ignoresPortInUseOnUnlistedAddress(TransportKind transport) throws IOException {
        int port = PortCheck.requireFree(LocalAddresses.of("0.0.0.0"), 0, /* datagrams= */ true);
        try (DatagramSocket taken = new DatagramSocket(port, InetAddress.getByAddress(new byte[] {127, 0, 0, 53}));
                DnsFrontend frontend = start(transport, "0.0.0.0", taken.getLocalPort())) {
            assertThat(frontend.addresses())
                    .isNotEmpty()
                    .noneMatch(address -> address.getAddress().isAnyLocalAddress());
            assertThat(answers(InetAddress.getLoopbackAddress(), port(frontend), false))
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = TransportKind.class,
            names = {"AUTO", "NIO"})
    void followsAddedAndRemovedAddresses(TransportKind transport) throws Exception {
        InetAddress later = InetAddress.getByName("198.51.100.53");
        assumeTrue(ip("addr", "add", "198.51.100.53/32", "dev", "lo"), "SKIPPED: needs root to add an address");
        ip("addr", "del", "198.51.100.53/32", "dev", "lo");
        try (DnsFrontend frontend = start(transport, "0.0.0.0", 0)) {
            ip("addr", "add", "198.51.100.53/32", "dev", "lo");

            assertThat(answersSoon(later, port(frontend), false)).isTrue();
            assertThat(answersSoon(later, port(frontend), true)).isTrue();

            ip("addr", "del", "198.51.100.53/32", "dev", "lo");
            awaitRemoved(frontend, later);
        } finally {
            ip("addr", "del", "198.51.100.53/32", "dev", "lo");
        }
    }

    private static void awaitRemoved(DnsFrontend frontend, InetAddress address) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (frontend.addresses().stream()
                .anyMatch(bound -> bound.getAddress().equals(address))) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static boolean ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false; // the program does not exist
        }
    }

    private DnsFrontend start(TransportKind transport, String host, int port) throws IOException {
        return DnsFrontend.start(fixture.dns(new HostPort(host, port)), fixture.topology(), 2, transport);
    }

    private static int port(DnsFrontend frontend) {
        return frontend.addresses().get(0).getPort();
    }

    private static boolean answersSoon(InetAddress address, int port, boolean overTcp) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try {
                return answers(address, port, overTcp) == 2;
            } catch (IOException e) {
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, 200, TimeUnit.MILLISECONDS)
                        .join();
            }
        }
        return false;
    }

    /**
     * Returns the number of addresses in the answer. The resolver accepts a response only from the address that it has
     * queried.
     */
    private static int answers(InetAddress address, int port, boolean overTcp) throws IOException {
        SimpleResolver resolver = new SimpleResolver(address);
        resolver.setPort(port);
        resolver.setTCP(overTcp);
        resolver.setTimeout(TIMEOUT);
        Message response = resolver.send(Messages.query("app.example.com", Type.A));
        return Messages.answers(response).size();
    }
}
