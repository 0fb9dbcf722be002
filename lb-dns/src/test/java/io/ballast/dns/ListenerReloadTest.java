package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.testing.FreePort;
import io.ballast.net.testing.TestCertificate;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests that listeners are added, removed and changed while other listeners serve. */
class ListenerReloadTest {

    private static final String NAME = "app.example.com";
    private static final int TIMEOUT_MILLIS = 10_000;

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(DnsUdpKind.class)
    void newListenerServesAfterCommit(DnsUdpKind udp) throws IOException {
        assumeTrue(udp != DnsUdpKind.DIRECT || isDirect());
        HostPort first = Reload.free();
        HostPort second = Reload.free();
        fixture.udp(udp);
        try (DnsFrontend frontend = start(fixture.dns(first), TransportKind.AUTO);
                DatagramSocket client = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            List<Heartbeat> later = new ArrayList<>();
            frontend.onAddedHeartbeats(later::addAll);
            int threads = frontend.heartbeats().size();
            DnsChange change = frontend.prepare(fixture.dns(first, second), ZoneInputs.of(fixture.topology()));
            assertThat(frontend.addresses()).hasSize(1);
            send(client, second);
            try (StreamClient stream = new StreamClient(Reload.socketAddress(second))) {
                stream.send(query());
                assertAnswered(first);
                assertThat(frontend.stats().sum(DnsCounter.QUERIES_UDP)).isEqualTo(1);
                assertThat(frontend.stats().sum(DnsCounter.QUERIES_TCP)).isZero();

                change.commit();

                assertThat(Messages.answers(stream.receive())).containsExactly("192.0.2.1");
            }
            assertThat(Messages.answers(receive(client))).containsExactly("192.0.2.1");
            assertThat(frontend.addresses()).containsExactly(Reload.socketAddress(first), Reload.socketAddress(second));
            assertThat(frontend.heartbeats()).hasSize(threads + later.size()).containsAll(later);
            change.releasePrevious();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(DnsUdpKind.class)
    void removedListenerReleasesPortAndConnections(DnsUdpKind udp) throws IOException {
        assumeTrue(udp != DnsUdpKind.DIRECT || isDirect());
        HostPort stays = Reload.free();
        HostPort goes = Reload.free();
        fixture.udp(udp);
        try (DnsFrontend frontend = start(fixture.dns(stays, goes), TransportKind.AUTO);
                StreamClient kept = new StreamClient(Reload.socketAddress(stays));
                StreamClient ended = new StreamClient(Reload.socketAddress(goes))) {
            kept.query(NAME, Type.A);
            ended.query(NAME, Type.A);

            Reload.apply(frontend, fixture.dns(stays), fixture);

            ended.awaitEnd();
            assertThat(Messages.answers(kept.query(NAME, Type.A))).containsExactly("192.0.2.1");
            assertAnswered(stays);
            // A listener that is added again waits until the old one has closed.
            Reload.apply(frontend, fixture.dns(stays, goes), fixture);
            assertAnswered(goes);
            Reload.apply(frontend, fixture.dns(goes), fixture);
            kept.awaitEnd();
            assertAnswered(goes);
            assertThat(frontend.stats().sum(DnsCounter.ERRORS)).isZero();
        }
    }

    @Test
    void pendingQueriesOfRemovedListenerAreAnswered() throws IOException {
        HostPort stays = Reload.free();
        HostPort goes = Reload.free();
        try (DnsFrontend frontend = start(fixture.dns(stays, goes), TransportKind.AUTO);
                StreamClient client = new StreamClient(Reload.socketAddress(goes))) {
            byte[] query = query();
            client.query(NAME, Type.A);
            DnsChange change = frontend.prepare(fixture.dns(stays), ZoneInputs.of(fixture.topology()));
            client.send(Arrays.copyOf(query, query.length / 2));
            change.commit();
            client.send(Arrays.copyOfRange(query, query.length / 2, query.length));

            assertThat(Messages.answers(client.receive())).containsExactly("192.0.2.1");
            client.awaitEnd();
            change.releasePrevious();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = TransportKind.class,
            names = {"AUTO", "NIO"})
    void addressChangesProtocol(TransportKind transport) throws IOException {
        HostPort address = Reload.free();
        TestCertificate certificate = TestCertificate.create();
        DnsConfig plain = fixture.dns(address);
        DnsConfig encrypted = fixture.dns(
                DnsTcpConfig.DEFAULT, Reload.encrypted(address, Protocol.DOT, certificate.write(directory)));
        try (DnsFrontend frontend = start(plain, transport);
                StreamClient before = new StreamClient(Reload.socketAddress(address))) {
            before.query(NAME, Type.A);

            Reload.apply(frontend, encrypted, fixture);

            before.awaitEnd();
            assertThat(frontend.addresses()).containsExactly(Reload.socketAddress(address));
            try (SSLSocket socket = connect(address, certificate)) {
                StreamClient client = new StreamClient(socket);
                assertThat(Messages.answers(client.query(NAME, Type.A))).containsExactly("192.0.2.1");
                awaitFree(address);

                Reload.apply(frontend, plain, fixture);

                client.awaitEnd();
            }
            assertAnswered(address);
            try (StreamClient after = new StreamClient(Reload.socketAddress(address))) {
                assertThat(Messages.answers(after.query(NAME, Type.A))).containsExactly("192.0.2.1");
            }
        }
    }

    @Test
    void listenerChangesCertificate() throws IOException {
        HostPort address = Reload.free();
        TestCertificate first = TestCertificate.create();
        TestCertificate second = TestCertificate.create();
        TlsFiles firstFiles = first.write(directory, "first");
        TlsFiles secondFiles = second.write(directory, "second");
        try (DnsFrontend frontend = start(encrypted(address, firstFiles), TransportKind.AUTO)) {
            Reload.apply(frontend, encrypted(address, secondFiles), fixture);

            try (SSLSocket socket = connect(address, second)) {
                assertThat(Messages.answers(new StreamClient(socket).query(NAME, Type.A)))
                        .containsExactly("192.0.2.1");
            }
            assertThatThrownBy(() -> Reload.apply(
                            frontend,
                            encrypted(
                                    address,
                                    new TlsFiles(directory.resolve("none.pem"), secondFiles.key(), secondFiles.ocsp())),
                            fixture))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("none.pem");
            try (SSLSocket socket = connect(address, second)) {
                assertThat(Messages.answers(new StreamClient(socket).query(NAME, Type.A)))
                        .hasSize(1);
            }
        }
    }

    private DnsConfig encrypted(HostPort address, TlsFiles files) {
        return fixture.dns(DnsTcpConfig.DEFAULT, Reload.encrypted(address, Protocol.DOT, files));
    }

    @Test
    void addressInUseKeepsEverything() throws IOException {
        HostPort first = Reload.free();
        HostPort free = Reload.free();
        try (DnsFrontend frontend = start(fixture.dns(first), TransportKind.AUTO);
                ServerSocket taken = new ServerSocket(FreePort.find(), 1, InetAddress.getLoopbackAddress());
                StreamClient client = new StreamClient(Reload.socketAddress(first))) {
            client.query(NAME, Type.A);
            HostPort inUse = new HostPort("127.0.0.1", taken.getLocalPort());

            assertThatThrownBy(() -> Reload.apply(frontend, fixture.dns(free, inUse), fixture))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("cannot listen on TCP 127.0.0.1:" + inUse.port());

            assertThat(frontend.addresses()).containsExactly(Reload.socketAddress(first));
            assertThat(Messages.answers(client.query(NAME, Type.A))).hasSize(1);
            assertAnswered(first);
            awaitFree(free);
            Reload.apply(frontend, fixture.dns(free), fixture);
            assertAnswered(free);
        }
    }

    @Test
    void addressIsReplacedByWildcardAndBack() throws IOException {
        assumeTrue(Epoll.isAvailable() && isDirect());
        HostPort one = Reload.free();
        HostPort all = new HostPort("0.0.0.0", one.port());
        try (DnsFrontend frontend = start(fixture.dns(one), TransportKind.AUTO)) {
            Reload.apply(frontend, fixture.dns(all), fixture);
            assertAnswered(one);
            Reload.apply(frontend, fixture.dns(one), fixture);
            assertAnswered(one);
            assertThat(frontend.addresses()).containsExactly(Reload.socketAddress(one));
        }
    }

    @Test
    void noQueryIsLostBetweenAddressAndWildcard() throws Exception {
        assumeTrue(Epoll.isAvailable() && isDirect());
        HostPort one = Reload.free();
        HostPort all = new HostPort("0.0.0.0", one.port());
        AtomicBoolean over = new AtomicBoolean();
        try (DnsFrontend frontend = start(fixture.dns(one), TransportKind.AUTO)) {
            CompletableFuture<Void> pending = CompletableFuture.runAsync(() -> queryUntil(over, one));
            for (int i = 0; i < 50 && !pending.isDone(); i++) {
                Reload.apply(frontend, fixture.dns(i % 2 == 0 ? all : one), fixture);
            }
            over.set(true);
            pending.get(2 * TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static void queryUntil(AtomicBoolean over, HostPort server) {
        try (DatagramSocket client = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            while (!over.get()) {
                send(client, server);
                assertThat(Messages.answers(receive(client))).containsExactly("192.0.2.1");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void changeOfUdpReceiverNeedsRestart() throws IOException {
        assumeTrue(isDirect());
        HostPort address = Reload.free();
        try (DnsFrontend frontend = start(fixture.udp(DnsUdpKind.DIRECT).dns(address), TransportKind.AUTO);
                DnsChange change = frontend.prepare(
                        fixture.udp(DnsUdpKind.NETTY).dns(address), ZoneInputs.of(fixture.topology()))) {
            assertThat(change.warnings()).hasSize(1).first().asString().startsWith("dns.udp: ");
        }
    }

    private static boolean isDirect() {
        return DirectUdp.unavailabilityReason().isEmpty();
    }

    private static byte[] query() {
        return StreamClient.framed(Messages.query(NAME, Type.A).toWire());
    }

    private static void send(DatagramSocket client, HostPort server) throws IOException {
        byte[] wire = Messages.query(NAME, Type.A).toWire();
        client.send(new DatagramPacket(wire, wire.length, Reload.socketAddress(server)));
    }

    private static Message receive(DatagramSocket client) throws IOException {
        client.setSoTimeout(TIMEOUT_MILLIS);
        DatagramPacket response = new DatagramPacket(new byte[512], 512);
        client.receive(response);
        return Messages.parse(Arrays.copyOf(response.getData(), response.getLength()));
    }

    private static SSLSocket connect(HostPort address, TestCertificate trusted) throws IOException {
        return (SSLSocket)
                trusted.client().getSocketFactory().createSocket(InetAddress.getByName(address.host()), address.port());
    }

    /** Waits until the UDP port is free. */
    private static void awaitFree(HostPort address) throws IOException {
        InetSocketAddress wanted = Reload.socketAddress(address);
        long end = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
        while (true) {
            try {
                PortCheck.requireFreeForDatagrams(List.of(wanted.getAddress()), wanted.getPort());
                return;
            } catch (BindException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    private static void assertAnswered(HostPort server) throws IOException {
        Message response = Reload.query(Reload.socketAddress(server), NAME, Type.A);
        assertThat(Messages.answers(response)).containsExactly("192.0.2.1");
    }

    private DnsFrontend start(DnsConfig config, TransportKind transport) throws IOException {
        return DnsFrontend.start(config, fixture.topology(), 2, transport);
    }
}
