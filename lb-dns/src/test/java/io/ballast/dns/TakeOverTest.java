package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.config.HostPort;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.testing.SocketHandover;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests a frontend that takes over the sockets of another frontend. */
class TakeOverTest {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int QUERIES = 200;

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    /**
     * Tests queries while both frontends have the sockets, while the first frontend closes, and after it has closed.
     */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = DnsUdpKind.class,
            names = {"NETTY", "DIRECT"})
    void answersEveryQuery(DnsUdpKind kind) throws IOException {
        assumeTrue(Epoll.isAvailable());
        assumeTrue(kind != DnsUdpKind.DIRECT || DirectUdp.unavailabilityReason().isEmpty());
        HostPort address = Reload.free();
        DnsConfig config = fixture.udp(kind).dns(address);
        DnsFrontend first = DnsFrontend.start(config, fixture.topology(), 2, TransportKind.AUTO);
        boolean firstIsOpen = true;
        try (InheritedSockets sockets = SocketHandover.on(first.sharedSockets());
                DnsFrontend next = DnsFrontend.bind(config, fixture.topology(), 3, TransportKind.AUTO, sockets)) {
            assertThat(sockets.size()).isZero();
            query(address);

            next.begin();
            query(address);
            first.releaseToSuccessor();
            query(address);
            first.close();
            firstIsOpen = false;
            query(address);

            try (StreamClient client = new StreamClient(Reload.socketAddress(address))) {
                assertThat(Messages.answers(client.query("app.example.com", Type.A)))
                        .hasSize(1);
            }
            assertThat(next.stats().sum(DnsCounter.QUERIES_UDP)).isPositive();
        } finally {
            if (firstIsOpen) {
                first.close();
            }
        }
    }

    /** Inherited sockets that the second frontend cannot use must not block the port. */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = DnsUdpKind.class,
            names = {"NETTY", "DIRECT"})
    void socketsOfOtherKindAreClosed(DnsUdpKind kind) throws IOException {
        assumeTrue(Epoll.isAvailable());
        assumeTrue(DirectUdp.unavailabilityReason().isEmpty());
        HostPort address = Reload.free();
        DnsConfig config = fixture.udp(kind).dns(address);
        DnsConfig other = fixture.udp(kind == DnsUdpKind.NETTY ? DnsUdpKind.DIRECT : DnsUdpKind.NETTY)
                .dns(address);
        try (DnsFrontend first = DnsFrontend.start(config, fixture.topology(), 2, TransportKind.AUTO);
                InheritedSockets sockets = SocketHandover.on(first.sharedSockets());
                DnsFrontend next = DnsFrontend.bind(other, fixture.topology(), 2, TransportKind.AUTO, sockets)) {
            assertThat(sockets.size()).isEqualTo(2);

            next.begin();
            sockets.close();
            first.releaseToSuccessor();
            first.awaitSocketsClosed();

            query(address);
        }
    }

    /** Tests that the first frontend still answers queries after a second frontend has failed to start. */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = DnsUdpKind.class,
            names = {"NETTY", "DIRECT"})
    void failedStartKeepsSockets(DnsUdpKind kind) throws IOException {
        assumeTrue(Epoll.isAvailable());
        assumeTrue(kind != DnsUdpKind.DIRECT || DirectUdp.unavailabilityReason().isEmpty());
        HostPort address = Reload.free();
        fixture.udp(kind);
        try (DnsFrontend first = DnsFrontend.start(fixture.dns(address), fixture.topology(), 2, TransportKind.AUTO);
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            DnsConfig impossible = fixture.dns(address, new HostPort("127.0.0.1", taken.getLocalPort()));
            try (InheritedSockets sockets = SocketHandover.on(first.sharedSockets())) {
                assertThatThrownBy(
                                () -> DnsFrontend.bind(impossible, fixture.topology(), 2, TransportKind.AUTO, sockets))
                        .isInstanceOf(BindException.class);
            }
            query(address);
            try (InheritedSockets sockets = SocketHandover.on(first.sharedSockets())) {
                DnsFrontend.bind(fixture.dns(address), fixture.topology(), 2, TransportKind.AUTO, sockets)
                        .close(); // simulates that a later component fails to start
            }
            query(address);

            assertThat(first.stats().sum(DnsCounter.QUERIES_UDP)).isEqualTo(2 * QUERIES);
        }
    }

    private static void query(HostPort server) throws IOException {
        for (int i = 0; i < QUERIES; i++) {
            try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                byte[] query = Messages.query("app.example.com", Type.A).toWire();
                socket.send(
                        new DatagramPacket(query, query.length, InetAddress.getByName(server.host()), server.port()));
                DatagramPacket answer = new DatagramPacket(new byte[512], 512);
                socket.receive(answer);
                Message message = Messages.parse(Arrays.copyOf(answer.getData(), answer.getLength()));
                assertThat(Messages.answers(message)).hasSize(1);
            }
        }
    }
}
