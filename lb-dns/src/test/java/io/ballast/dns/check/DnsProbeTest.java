package io.ballast.dns.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.core.net.IpAddress;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.FreePort;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class DnsProbeTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int MAX_PROBES = 100;

    @EachTransport
    void evaluatesUdpResponse(TransportKind transport) throws Exception {
        try (Server server = new Server(query -> response(query, "192.0.2.1"), UnaryOperator.identity())) {
            ProbeResult result = probe(transport, server.address(), check(List.of("NOERROR"), "192.0.2.1"), TIMEOUT);

            assertThat(result.text()).isEqualTo("NOERROR with 192.0.2.1");
            assertThat(result.ok()).isTrue();
            assertThat(probe(transport, server.address(), check(List.of("NOERROR"), "192.0.2.2"), TIMEOUT)
                            .text())
                    .isEqualTo("NOERROR with 192.0.2.1 (expected: 192.0.2.2)");
            assertThat(probe(transport, server.address(), check(List.of("NXDOMAIN")), TIMEOUT)
                            .text())
                    .isEqualTo("NOERROR (expected: NXDOMAIN)");
            assertThat(server.byTcp.get()).isZero();
        }
    }

    @EachTransport
    void retriesTruncatedResponseOverTcp(TransportKind transport) throws Exception {
        UnaryOperator<Message> cut = query -> {
            Message response = response(query);
            response.getHeader().setFlag(Flags.TC);
            return response;
        };
        try (Server server = new Server(cut, query -> response(query, "192.0.2.1"))) {
            assertThat(probe(transport, server.address(), check(List.of("NOERROR"), "192.0.2.1"), TIMEOUT)
                            .ok())
                    .isTrue();
            assertThat(server.byTcp.get()).isOne();
        }
    }

    @Test
    void acceptsConfiguredResponseCodes() throws Exception {
        UnaryOperator<Message> refusing = query -> {
            Message response = response(query);
            response.getHeader().setRcode(Rcode.REFUSED);
            return response;
        };
        try (Server server = new Server(refusing, refusing)) {
            assertThat(probe(server, check(List.of("NOERROR", "REFUSED"))).text())
                    .isEqualTo("REFUSED");
            assertThat(probe(server, check(List.of("NOERROR"))).text()).isEqualTo("REFUSED (expected: NOERROR)");
        }
    }

    @Test
    void ignoresAnswerToOtherQuery() throws Exception {
        UnaryOperator<Message> mistaken = query -> {
            Message response = response(query, "192.0.2.1");
            response.getHeader().setID(query.getHeader().getID() ^ 1);
            return response;
        };
        try (Server server = new Server(mistaken, mistaken)) {
            assertThat(probe(TransportKind.NIO, server.address(), check(List.of("NOERROR")), SHORT)
                            .text())
                    .isEqualTo("no answer within 200 ms");
        }
    }

    @EachTransport
    void closedPortIsDown(TransportKind transport) throws Exception {
        InetSocketAddress address;
        try (Server server = new Server(UnaryOperator.identity(), UnaryOperator.identity())) {
            address = server.address();
        }

        List<String> texts = new ArrayList<>();
        do { // the kernel limits the rate of ICMP errors across all sockets
            ProbeResult result = probe(transport, address, check(List.of("NOERROR")), SHORT);
            assertThat(result.ok()).isFalse();
            texts.add(result.text());
        } while (texts.get(texts.size() - 1).startsWith("no answer") && texts.size() < MAX_PROBES);

        assertThat(texts.get(texts.size() - 1)).isIn("port unreachable", "connection refused");
    }

    private static HealthCheck check(List<String> rcodes, String... addresses) {
        return new HealthCheck.Dns(
                "www.example.com",
                "A",
                rcodes,
                Arrays.stream(addresses).map(IpAddress::parse).toList());
    }

    private static Message response(Message query, String... addresses) {
        Message response = new Message(query.getHeader().getID());
        response.getHeader().setFlag(Flags.QR);
        response.addRecord(query.getQuestion(), Section.QUESTION);
        for (String address : addresses) {
            byte[] bytes = IpAddress.parse(address).bytes();
            response.addRecord(
                    Record.newRecord(query.getQuestion().getName(), Type.A, DClass.IN, 60, bytes), Section.ANSWER);
        }
        return response;
    }

    private static ProbeResult probe(Server server, HealthCheck check) throws Exception {
        return probe(TransportKind.NIO, server.address(), check, TIMEOUT);
    }

    private static ProbeResult probe(TransportKind kind, InetSocketAddress target, HealthCheck check, Duration timeout)
            throws Exception {
        NettyTransport transport = NettyTransport.choose(kind);
        CompletableFuture<ProbeResult> result = new CompletableFuture<>();
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, transport.ioHandler().get());
        try {
            new DnsProbe(transport, List.of(group.next()))
                    .start(target, check, /* hostHeader= */ "", timeout, result::complete);
            return result.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    /** A server on one port for UDP and TCP. */
    private static final class Server implements AutoCloseable {

        private final AtomicInteger byTcp = new AtomicInteger();
        private final ServerSocket tcp;
        private final DatagramSocket udp;

        Server(UnaryOperator<Message> datagrams, UnaryOperator<Message> streams) throws IOException {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            this.tcp = new ServerSocket(FreePort.find(), /* backlog= */ 10, loopback);
            this.udp = new DatagramSocket(tcp.getLocalPort(), loopback);
            daemon(() -> serveDatagrams(datagrams));
            daemon(() -> serveStreams(streams));
        }

        InetSocketAddress address() {
            return (InetSocketAddress) udp.getLocalSocketAddress();
        }

        private interface Serving {
            void run() throws IOException;
        }

        private static void daemon(Serving serving) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            serving.run();
                        } catch (IOException e) {
                            // The socket was closed.
                        }
                    },
                    "dns");
            thread.setDaemon(true);
            thread.start();
        }

        private void serveDatagrams(UnaryOperator<Message> answer) throws IOException {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[512], 512);
                udp.receive(packet);
                Message query = new Message(Arrays.copyOf(packet.getData(), packet.getLength()));
                packet.setData(answer.apply(query).toWire());
                udp.send(packet);
            }
        }

        private void serveStreams(UnaryOperator<Message> answer) throws IOException {
            while (true) {
                try (Socket socket = tcp.accept()) {
                    byTcp.incrementAndGet();
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    byte[] query = in.readNBytes(in.readUnsignedShort());
                    byte[] response = answer.apply(new Message(query)).toWire();
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.writeShort(response.length);
                    out.write(response);
                    out.flush();
                } catch (SocketException e) {
                    return; // the socket was closed
                }
            }
        }

        @Override
        public void close() throws IOException {
            udp.close();
            tcp.close();
        }
    }
}
