package io.ballast.cluster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.cluster.testing.Poll;
import io.ballast.cluster.testing.TestAuthority;
import io.ballast.net.testing.FreePort;
import io.ballast.net.tls.MutualTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeshTest {

    private static final int KIND = Mesh.FIRST_KIND;

    private final List<Mesh> started = new ArrayList<>();
    private TestAuthority authority;
    private InetSocketAddress first;
    private InetSocketAddress second;
    private InetSocketAddress third;

    @BeforeEach
    void prepare() throws Exception {
        authority = new TestAuthority();
        first = address();
        second = address();
        third = address();
    }

    @AfterEach
    void close() {
        started.forEach(Mesh::close);
    }

    private static InetSocketAddress address() throws IOException {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find());
    }

    private Mesh start(
            String node, InetSocketAddress bind, long incarnation, Recorder recorder, InetSocketAddress... peers)
            throws Exception {
        return start("edge", node, authority.tls(node), bind, incarnation, recorder, peers);
    }

    private Mesh start(
            String cluster,
            String node,
            MutualTls tls,
            InetSocketAddress bind,
            long incarnation,
            Recorder recorder,
            InetSocketAddress... peers) {
        Mesh mesh = new Mesh(
                new MeshConfig(cluster, node, bind, List.of(peers), () -> tls), incarnation, List.of(recorder));
        started.add(mesh);
        mesh.start();
        return mesh;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void messagesArriveInOrderInBothDirections() throws Exception {
        Recorder one = new Recorder();
        Recorder other = new Recorder();
        Mesh n1 = start("n1", first, 1, one, second);
        Mesh n2 = start("n2", second, 1, other); // n2 learns the address of n1 from n1
        Poll.until(() -> n1.isConnected("n2") && n2.isConnected("n1"));
        for (int i = 0; i < 100; i++) {
            assertThat(n1.send("n2", KIND, bytes("a" + i))).isTrue();
            assertThat(n2.send("n1", KIND + 1, bytes("b" + i))).isTrue();
        }

        Poll.until(() -> one.messages.size() == 100 && other.messages.size() == 100);
        assertThat(one.messages.get(99)).isEqualTo("n2 " + (KIND + 1) + " b99");
        assertThat(other.messages.get(42)).isEqualTo("n1 " + KIND + " a42");
        Poll.until(() -> n1.connected().values().stream().allMatch(nanos -> nanos > 0));
    }

    @Test
    void nodesLearnAddressesFromEachOther() throws Exception {
        Mesh n1 = start("n1", first, 1, new Recorder());
        Mesh n2 = start("n2", second, 1, new Recorder(), first);
        Mesh n3 = start("n3", third, 1, new Recorder(), first);

        Poll.until(() -> n2.isConnected("n3") && n3.isConnected("n2") && n1.isConnected("n3"));
    }

    @Test
    void ownAddressAmongThePeersDoesNoHarm() throws Exception {
        InetSocketAddress alias = new InetSocketAddress("127.0.0.2", first.getPort());
        Recorder recorder = new Recorder();
        Mesh n1 = start("n1", new InetSocketAddress("0.0.0.0", first.getPort()), 1, recorder, first, alias, second);
        start("n2", second, 1, new Recorder());
        Poll.until(() -> n1.isConnected("n2"));

        assertThat(n1.connected().keySet()).extracting(ClusterNode::node).containsExactly("n2");
        assertThat(n1.counters().refused()).isZero();
    }

    /** The second address leads to the same process through a relay that counts connections. */
    @Test
    void anotherAddressOfAConnectedNodeDoesNotInterruptItsConnection() throws Exception {
        Recorder recorder = new Recorder();
        Recorder other = new Recorder();
        Mesh n1 = start("n1", first, 1, recorder, second);
        Mesh n2 = start("n2", second, 1, other);
        Poll.until(() -> n1.isConnected("n2") && n2.isConnected("n1"));

        try (ConnectionRelay relay = new ConnectionRelay(second)) {
            n1.dial(List.of(second, relay.address()));
            Poll.until(() -> relay.closed() == 1);
            n1.send("n2", KIND, bytes("a"));
            Poll.until(() -> other.messages.contains("n1 " + KIND + " a"));
            assertThat(recorder.events).containsExactly("connected n2 1");
            assertThat(other.events).containsExactly("connected n1 1");

            n2.close();
            start("n2", third, 2, new Recorder());
            relay.forwardTo(third);
            Poll.until(() -> n1.isConnected("n2")); // n1 reconnects immediately, through the relay
        }
    }

    @Test
    void restartedNodeIsConnectedAgain() throws Exception {
        Recorder recorder = new Recorder();
        Mesh n1 = start("n1", first, 1, recorder, second);
        Mesh old = start("n2", second, 1, new Recorder(), first);
        Poll.until(() -> n1.isConnected("n2"));
        old.close();
        Poll.until(() -> !n1.isConnected("n2"));
        assertThat(n1.send("n2", KIND, bytes("a"))).isFalse();
        start("n2", second, 2, new Recorder(), first);
        Poll.until(() -> recorder.events.size() == 3);

        assertThat(recorder.events).containsExactly("connected n2 1", "disconnected n2 1", "connected n2 2");
    }

    @Test
    void certificateOfAnotherAuthorityIsRefused() throws Exception {
        Mesh n1 = start("n1", first, 1, new Recorder(), second);
        MutualTls foreign = new TestAuthority().tls("n2");
        Mesh n2 = start("edge", "n2", foreign, second, 1, new Recorder(), first);
        Poll.until(() -> n1.counters().failedHandshakes() > 1 && n2.counters().failedHandshakes() > 1);

        assertThat(n1.connected()).isEmpty();
        assertThat(n2.connected()).isEmpty();
    }

    @Test
    void nameThatIsNotInTheCertificateIsRefused() throws Exception {
        Recorder recorder = new Recorder();
        Mesh n1 = start("n1", first, 1, recorder, second);
        Mesh n2 = start("edge", "n2", authority.tls("n3"), second, 1, new Recorder(), first);
        Poll.until(() -> n1.counters().refused() > 1 && n2.counters().refused() > 1);

        assertThat(recorder.events).isEmpty();
        assertThat(n2.connected()).isEmpty();
    }

    @Test
    void otherClusterIsRefused() throws Exception {
        Mesh n1 = start("n1", first, 1, new Recorder(), second);
        Mesh n2 = start("other", "n2", authority.tls("n2"), second, 1, new Recorder(), first);
        Poll.until(() -> n1.counters().refused() > 1 && n2.counters().refused() > 1);

        assertThat(n1.connected()).isEmpty();
        assertThat(n2.connected()).isEmpty();
    }

    @Test
    void olderProcessWithTheSameNameIsRefused() throws Exception {
        Recorder recorder = new Recorder();
        Mesh n1 = start("n1", first, 1, recorder);
        start("n2", second, 20, new Recorder(), first);
        Poll.until(() -> n1.isConnected("n2"));
        Mesh older = start("n2", third, 10, new Recorder(), first);
        Poll.until(() -> older.counters().refused() > 1);

        assertThat(n1.connected().keySet()).extracting(ClusterNode::incarnation).containsExactly(20L);
    }

    @Test
    void nodeIsConnectedAgainAfterItsClockWasSetBack() throws Exception {
        Mesh n1 = start("n1", first, 1, new Recorder());
        Mesh old = start("n2", second, 20, new Recorder(), first);
        Poll.until(() -> n1.isConnected("n2") && old.isConnected("n1"));
        old.close();
        Poll.until(() -> !n1.isConnected("n2"));
        Mesh restarted = start("n2", second, 10, new Recorder(), first);

        Poll.until(() -> n1.isConnected("n2") && restarted.isConnected("n1"));
    }

    @Test
    void anotherProcessWithTheOwnNameIsRefused() throws Exception {
        Mesh n1 = start("n1", first, 1, new Recorder(), second);
        Mesh duplicate = start("n1", second, 2, new Recorder(), first);
        Poll.until(() -> n1.counters().refused() > 1 && duplicate.counters().refused() > 1);

        assertThat(n1.connected()).isEmpty();
    }

    @Test
    void plainTextAndGarbageEndTheConnectionOnly() throws Exception {
        Recorder recorder = new Recorder();
        Mesh n1 = start("n1", first, 1, recorder, second);
        for (String garbage : List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0\0", "\u0016\u0003\u0001")) {
            try (Socket socket = new Socket(first.getAddress(), first.getPort())) {
                OutputStream out = socket.getOutputStream();
                out.write(garbage.getBytes(StandardCharsets.ISO_8859_1));
                socket.shutdownOutput();
                while (socket.getInputStream().read() >= 0) {
                    // reads an alert, then the end of the connection
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
            }
        }
        Mesh n2 = start("n2", second, 1, new Recorder());
        Poll.until(() -> n1.isConnected("n2") && n2.isConnected("n1"));

        assertThat(recorder.messages).isEmpty();
    }

    @Test
    void silentClientsDelayNobody() throws Exception {
        Mesh n1 = start("n1", first, 1, new Recorder());
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                silent.add(new Socket(first.getAddress(), first.getPort()));
            }
            Mesh n2 = start("n2", second, 1, new Recorder(), first);
            Poll.until(() -> n1.isConnected("n2") && n2.isConnected("n1"));
            assertThat(n1.counters().failedHandshakes()).isZero(); // no silent connection has timed out yet
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void addressInUseIsReported() throws Exception {
        start("n1", first, 1, new Recorder());

        assertThatThrownBy(() -> start("n2", first, 1, new Recorder()))
                .isInstanceOf(MeshException.class)
                .hasMessageContaining("cannot accept connections of other nodes on")
                .hasMessageContaining("in use");
    }

    private static final class Recorder implements MeshListener {

        final List<String> events = new CopyOnWriteArrayList<>();
        final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public void connected(ClusterNode peer) {
            events.add("connected " + peer.node() + " " + peer.incarnation());
        }

        @Override
        public void disconnected(ClusterNode peer) {
            events.add("disconnected " + peer.node() + " " + peer.incarnation());
        }

        @Override
        public void received(ClusterNode sender, int kind, byte[] message) {
            messages.add(sender.node() + " " + kind + " " + new String(message, StandardCharsets.UTF_8));
        }
    }
}
