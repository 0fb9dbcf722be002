package io.ballast.dns.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.net.UdpFixture.Kind;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.DeferredQueries;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests answers that are sent after the batch of their query. */
class DeferredUdpTest {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LONGEST_DATAGRAM = 65_507;
    private static final int TRIES = 10;
    private static final int TRY_MILLIS = 2_000;

    /** The time for which a query is held. It is longer than the time for which the server keeps an idle socket. */
    private static final int HELD_MILLIS = 100;

    private final DeferredQueries held = new DeferredQueries();

    @ParameterizedTest(name = "{displayName} [{index}]: {0} {1}")
    @CsvSource({"DIRECT,127.0.0.1", "EPOLL,127.0.0.1", "NIO,127.0.0.1", "DIRECT,::1", "EPOLL,::1", "NIO,::1"})
    void clientsGetOwnAnswersInAnyOrder(Kind kind, String host) throws Exception {
        int clients = 20;
        int each = 100;
        List<DatagramSocket> sockets = new ArrayList<>();
        try (UdpFixture server = UdpFixture.start(kind, host, held)) {
            for (int i = 0; i < clients; i++) {
                sockets.add(client());
            }
            for (int id = 0; id < each; id++) {
                for (DatagramSocket socket : sockets) {
                    send(socket, id, server.address());
                }
                held.await((id + 1) * clients);
            }

            for (int i = clients * each - 1; i >= 0; i--) {
                held.answer(i);
            }

            for (DatagramSocket socket : sockets) {
                for (int id = each - 1; id >= 0; id--) {
                    Message response = receive(socket);
                    assertThat(response.getHeader().getID()).isEqualTo(id);
                    assertThat(Messages.answers(response)).containsExactly("203.0.113.1");
                }
            }
            assertThat(server.count(DnsCounter.DROPPED)).isZero();
            assertThat(server.count(DnsCounter.QUERIES_UDP)).isEqualTo((long) clients * each);
        } finally {
            sockets.forEach(DatagramSocket::close);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void otherQueriesAreNotDelayed(Kind kind) throws Exception {
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1", held);
                DatagramSocket client = client()) {
            send(client, 1, server.address());
            held.await(1);
            byte[] own = Messages.query("app.example.com", Type.A).toWire();
            client.send(new DatagramPacket(own, own.length, server.address()));

            assertThat(Messages.answers(receive(client))).hasSize(2);
            held.answer(0);
            assertThat(receive(client).getHeader().getID()).isEqualTo(1);
        }
    }

    /**
     * Tests that all queries of a batch have the same arrival time, so that latency includes the time that a query
     * waits behind earlier queries of its batch. NIO is excluded, because it reads single datagrams.
     */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"DIRECT", "EPOLL"})
    void batchHasOneArrivalTime(Kind kind) throws Exception {
        try (UdpFixture server = UdpFixture.prepare(kind, "127.0.0.1", held);
                DatagramSocket client = client()) {
            long started = System.nanoTime();
            for (int id = 0; id < 10; id++) {
                send(client, id, server.address());
            }

            server.start();
            held.await(10);

            assertThat(held.arrivedNanos(0)).isBetween(started, System.nanoTime());
            assertThat(IntStream.range(0, 10).mapToObj(held::arrivedNanos)).containsOnly(held.arrivedNanos(0));
        }
    }

    /** Tests two threads that answer queries at the same time, with more answers than fit in one batch. */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void clientsGetOwnAnswersWithMutualWaiting(Kind kind) throws Exception {
        int each = 80;
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1", held);
                DatagramSocket one = client();
                DatagramSocket other = client()) {
            for (int id = 0; id < each; id++) {
                send(one, id, server.address());
                held.await(2 * id + 1);
                send(other, id + each, server.address());
                held.await(2 * id + 2);
            }

            CompletableFuture<Void> first = CompletableFuture.runAsync(() -> answerTogether(0, each));
            CompletableFuture<Void> second = CompletableFuture.runAsync(() -> answerTogether(each, 2 * each));
            CompletableFuture.allOf(first, second).join();

            assertThat(receivedIds(one, each)).containsExactlyInAnyOrderElementsOf(ids(0, each));
            assertThat(receivedIds(other, each)).containsExactlyInAnyOrderElementsOf(ids(each, 2 * each));
        }
    }

    private void answerTogether(int from, int to) {
        Set<Runnable> rest = new HashSet<>(); // one flush task for each socket
        for (int i = from; i < to; i++) {
            Runnable waiting = held.answerSoon(i);
            if (waiting != null) {
                rest.add(waiting);
            }
        }
        rest.forEach(Runnable::run);
    }

    private static List<Integer> receivedIds(DatagramSocket client, int count) throws IOException {
        List<Integer> received = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            received.add(receive(client).getHeader().getID());
        }
        return received;
    }

    private static List<Integer> ids(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void deferredAnswersAreSentOnFlush() throws Exception {
        try (UdpFixture server = UdpFixture.start(Kind.DIRECT, "127.0.0.1", held);
                DatagramSocket client = client()) {
            send(client, 1, server.address());
            send(client, 2, server.address());
            held.await(2);
            Runnable rest = held.answerSoon(0);
            assertThat(rest).isNotNull().isSameAs(held.answerSoon(1));
            byte[] own = Messages.query("app.example.com", Type.A).toWire();
            client.send(new DatagramPacket(own, own.length, server.address()));
            assertThat(Messages.answers(receive(client))).hasSize(2); // the answer to the last query

            rest.run();

            assertThat(receivedIds(client, 2)).containsExactlyInAnyOrder(1, 2);
        }
    }

    /**
     * Tests the source address of responses: a client accepts a response only from the address to which it sent the
     * query.
     */
    @Test
    void deferredAnswersUseQueriedAddress() throws Exception {
        List<DatagramSocket> clients = new ArrayList<>();
        try (UdpFixture server = UdpFixture.start(Kind.DIRECT, "0.0.0.0", held)) {
            for (int i = 1; i <= 50; i++) {
                DatagramSocket client = client();
                clients.add(client);
                client.connect(
                        InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) i}),
                        server.address().getPort());
                byte[] query = query(i);
                client.send(new DatagramPacket(query, query.length));
            }
            held.await(clients.size());

            for (int i = 0; i < clients.size(); i++) {
                held.answer(i);
            }

            for (int i = 0; i < clients.size(); i++) {
                assertThat(receive(clients.get(i)).getHeader().getID()).isEqualTo(i + 1);
            }
        } finally {
            clients.forEach(DatagramSocket::close);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void drainedSocketsWaitForDeferredAnswers(Kind kind) throws Exception {
        assertThat(isAnsweredInTheEnd(kind, UdpFixture::drain)).isTrue();
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void handedOverSocketsWaitForDeferredAnswers(Kind kind) throws Exception {
        assertThat(isAnsweredInTheEnd(kind, UdpFixture::releaseToSuccessor)).isTrue();
    }

    /** Repeats the test, because a busy machine may exceed the drain timeout of one second. */
    private boolean isAnsweredInTheEnd(Kind kind, Consumer<UdpFixture> end) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1", held);
                    DatagramSocket client = client()) {
                send(client, i, server.address());
                held.await(i + 1);

                end.accept(server);
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, HELD_MILLIS, TimeUnit.MILLISECONDS)
                        .join();
                held.answer(i);

                client.setSoTimeout(TRY_MILLIS);
                boolean answered = receives(client);
                server.closeServer();
                if (answered) {
                    return true;
                }
            }
        }
        return false;
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void drainHasTimeout(Kind kind) throws Exception {
        try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1", held);
                DatagramSocket client = client()) {
            send(client, 1, server.address());
            held.await(1);

            server.drain();
            server.closeServer();

            held.answer(0);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void answersAfterCloseAreIgnored(Kind kind) throws Exception {
        int queries = 50;
        int rounds = 10;
        for (int round = 0; round < rounds; round++) {
            int first = round * queries;
            try (UdpFixture server = UdpFixture.start(kind, "127.0.0.1", held);
                    DatagramSocket client = client()) {
                for (int id = 0; id < queries; id++) {
                    send(client, id, server.address());
                }
                held.await(first + queries);

                CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < queries - 1; i++) {
                        held.answer(first + i);
                    }
                });
                server.closeServer();
                answering.join();
                long dropped = server.count(DnsCounter.DROPPED);
                held.answer(first + queries - 1);

                if (kind != Kind.DIRECT) { // with DIRECT, the thread that counts drops has ended
                    awaitMore(server, dropped);
                }
                assertThat(server.count(DnsCounter.ERRORS)).isZero();
            }
        }
    }

    private static void awaitMore(UdpFixture server, long dropped) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        while (server.count(DnsCounter.DROPPED) <= dropped) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static DatagramSocket client() throws IOException {
        DatagramSocket socket = new DatagramSocket();
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static void send(DatagramSocket client, int id, InetSocketAddress server) throws IOException {
        byte[] query = query(id);
        client.send(new DatagramPacket(query, query.length, server));
    }

    private static byte[] query(int id) {
        Message query = Messages.query("app.example.org", Type.A);
        query.getHeader().setID(id);
        return query.toWire();
    }

    private static boolean receives(DatagramSocket client) throws IOException {
        try {
            receive(client);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static Message receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[LONGEST_DATAGRAM], LONGEST_DATAGRAM);
        socket.receive(packet);
        return Messages.parse(Arrays.copyOf(packet.getData(), packet.getLength()));
    }
}
