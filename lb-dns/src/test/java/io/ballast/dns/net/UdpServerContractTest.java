package io.ballast.dns.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.net.UdpFixture.Kind;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Tests every implementation of {@link UdpServer} with loopback clients. */
class UdpServerContractTest {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LONGEST_DATAGRAM = 65_507;
    private static final long SEED = 20_261_121L;

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void answersOverIpv4(Kind kind) throws IOException {
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1");
                DatagramSocket client = client()) {
            send(client, query(4711), server);

            assertAnswer(receive(client), 4711);
            assertThat(server.count(DnsCounter.QUERIES_UDP)).isEqualTo(1);
            assertThat(server.count(DnsCounter.NOERROR)).isEqualTo(1);
            assertThat(server.count(DnsCounter.DROPPED)).isZero();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void answersOverIpv6(Kind kind) throws IOException {
        try (UdpFixture server = UdpFixture.start(kind, "::1");
                DatagramSocket client = client()) {
            send(client, query(4711), server);

            assertAnswer(receive(client), 4711);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void answersQueuedQueriesBeforeClose(Kind kind) throws IOException {
        int queries = 200;
        try (UdpFixture server = UdpFixture.prepare(kind, "127.0.0.1");
                DatagramSocket client = client()) {
            for (int i = 0; i < queries; i++) {
                send(client, query(i), server);
            }

            server.startAndDrain();

            BitSet ids = new BitSet();
            for (int i = 0; i < queries; i++) {
                ids.set(receive(client).getHeader().getID());
            }
            assertThat(ids.cardinality()).isEqualTo(queries);
            server.closeServer();
            if (kind != Kind.NIO) { // NIO releases the port at its next select
                new DatagramSocket(server.address()).close();
            }
            assertThat(server.count(DnsCounter.DROPPED)).isZero();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void answersAllClientsOfBurst(Kind kind) throws IOException {
        int rounds = 50;
        int clients = 16;
        int eachRound = 8;
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1");
                ClientSockets sockets = new ClientSockets(clients)) {
            for (int round = 0; round < rounds; round++) {
                for (DatagramSocket socket : sockets.all) {
                    for (int i = 0; i < eachRound; i++) {
                        send(socket, query(round * eachRound + i), server);
                    }
                }
                for (DatagramSocket socket : sockets.all) {
                    BitSet ids = new BitSet();
                    for (int i = 0; i < eachRound; i++) {
                        Message response = receive(socket);
                        assertThat(Messages.answers(response)).hasSize(2);
                        ids.set(response.getHeader().getID());
                    }
                    assertThat(ids.stream())
                            .containsExactlyElementsOf(IntStream.range(round * eachRound, (round + 1) * eachRound)
                                    .boxed()
                                    .toList());
                }
            }
            assertThat(server.count(DnsCounter.QUERIES_UDP)).isEqualTo((long) rounds * clients * eachRound);
            assertThat(server.count(DnsCounter.DROPPED)).isZero();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void survivesAllDatagramSizes(Kind kind) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        int[] sizes = IntStream.concat(
                        IntStream.range(0, 600),
                        IntStream.of(1231, 1232, 1233, 2047, 2048, 2049, 4096, 9000, 65_000, LONGEST_DATAGRAM))
                .toArray();
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1");
                DatagramSocket client = client()) {
            for (int size : sizes) {
                byte[] datagram = new byte[size];
                random.nextBytes(datagram);
                // Mark the datagram as a response, so that the server answers only the following query.
                if (size > 2) {
                    datagram[2] |= (byte) 0x80;
                }
                send(client, datagram, server);
                send(client, query(size), server);

                assertAnswer(receive(client), size);
            }
            assertThat(server.count(DnsCounter.QUERIES_UDP)).isEqualTo(2L * sizes.length);
            assertThat(server.count(DnsCounter.DROPPED)).isEqualTo(sizes.length);
            assertThat(server.count(DnsCounter.MALFORMED)).isEqualTo(/* shorter than a header= */ 12);
            assertThat(server.count(DnsCounter.ERRORS)).isZero();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void answersFormerrToTooLongQuery(Kind kind) throws IOException {
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1");
                DatagramSocket client = client()) {
            send(client, Arrays.copyOf(query(7), LONGEST_DATAGRAM), server);

            assertThat(receive(client).getRcode()).isEqualTo(Rcode.FORMERR);
            assertThat(server.count(DnsCounter.MALFORMED)).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void readsLongestDatagrams(Kind kind) throws IOException {
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1");
                DatagramSocket client = client()) {
            for (int size : new int[] {2049, 4096, 16_384, LONGEST_DATAGRAM}) {
                send(client, padded(size, /* id= */ size), server);

                assertAnswer(receive(client), size);
            }
            assertThat(server.count(DnsCounter.MALFORMED)).isZero();
        }
    }

    /** Returns a query of {@code size} bytes, padded with EDNS (RFC 7830). */
    private static byte[] padded(int size, int id) {
        int head = Messages.query("app.example.com", Type.A, new OPTRecord(1232, 0, 0))
                .toWire()
                .length;
        byte[] padding = new byte[size - head - /* code and length= */ 4];
        OPTRecord opt = new OPTRecord(1232, 0, 0, 0, List.of(new GenericEDNSOption(EDNSOption.Code.PADDING, padding)));
        Message query = Messages.query("app.example.com", Type.A, opt);
        query.getHeader().setID(id);
        byte[] wire = query.toWire();
        assertThat(wire).hasSize(size);
        return wire;
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void closedClientsDoNotAffectOthers(Kind kind) throws IOException {
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1");
                DatagramSocket client = client()) {
            for (int i = 0; i < 100; i++) {
                try (DatagramSocket removed = client()) {
                    send(removed, query(i), server);
                }
                send(client, query(i), server);
                assertAnswer(receive(client), i);
            }
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void closeReleasesAddress(Kind kind) throws IOException {
        for (int i = 0; i < 20; i++) {
            UdpFixture server = UdpFixture.start(kind, "127.0.0.1");
            try (DatagramSocket client = client()) {
                send(client, query(i), server);
                assertAnswer(receive(client), i);
                for (int unread = 0; unread < 20; unread++) {
                    send(client, query(unread), server);
                }
            }

            server.close();
            server.closeServer();

            new DatagramSocket(server.address()).close();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void errorNamesAddress(Kind kind) {
        UdpFixture.assumeThereIs(kind);
        assertThatThrownBy(() -> UdpFixture.start(kind, "192.0.2.1"))
                .isInstanceOf(BindException.class)
                .hasMessageStartingWith("cannot listen on UDP 192.0.2.1:")
                .hasMessageContaining("no network interface of this machine has this address");
    }

    private static DatagramSocket client() throws IOException {
        DatagramSocket socket = new DatagramSocket();
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    /** Sends from an unconnected socket: a connected one drops empty datagrams. */
    private static void send(DatagramSocket client, byte[] bytes, UdpFixture server) throws IOException {
        client.send(new DatagramPacket(bytes, bytes.length, server.address()));
    }

    private static byte[] query(int id) {
        Message query = Messages.query("app.example.com", Type.A);
        query.getHeader().setID(id);
        return query.toWire();
    }

    private static Message receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[LONGEST_DATAGRAM], LONGEST_DATAGRAM);
        socket.receive(packet);
        return Messages.parse(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    private static void assertAnswer(Message response, int id) {
        assertThat(response.getHeader().getID()).isEqualTo(id);
        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    /** Sockets of several clients. */
    private static final class ClientSockets implements AutoCloseable {

        private final List<DatagramSocket> all = new ArrayList<>();

        ClientSockets(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                all.add(client());
            }
        }

        @Override
        public void close() {
            all.forEach(DatagramSocket::close);
        }
    }
}
