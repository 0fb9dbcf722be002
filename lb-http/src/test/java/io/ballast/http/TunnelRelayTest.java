package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;

/** Tests that tunnels forward data and do not accumulate it. */
class TunnelRelayTest {

    private static final int LITTLE = 64 * 1024;
    private static final int MUCH = 10 * 1024 * 1024;
    private static final int SMALL_BUFFER = 16 * 1024;
    private static final long MAX_MEMORY = 2 * 1024 * 1024;

    @EachTransport
    void relaysSmallMessagesInBothDirections(TransportKind transport) throws Exception {
        echo(transport, LITTLE);
    }

    @EachTransport
    void relaysLargeStreamsInBothDirections(TransportKind transport) throws Exception {
        echo(transport, MUCH);
    }

    private static void echo(TransportKind transport, int length) throws Exception {
        byte[] sent = bytes(length);
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> client.send(sent).finishSending());

            assertThat(checksum(client.readToEnd())).isEqualTo(checksum(sent));
            sending.join();
            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.BYTES_IN)).isEqualTo(Upgrades.REQUEST.length() + length);
            assertThat(balancer.count(ListenerCounter.BYTES_OUT)).isEqualTo(Upgrades.SWITCH.length() + length);
        }
    }

    @EachTransport
    void slowClientAppliesBackPressure(TransportKind transport) throws Exception {
        byte[] sent = bytes(MUCH);
        Script pouring = Upgrades.switching(connection -> connection.send(sent));
        try (TestBackend backend = TestBackend.playing(pouring);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = RawClient.connect(balancer.port(), SMALL_BUFFER)) {
            client.send(Upgrades.REQUEST).readHead();

            balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_OUT));
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);

            assertThat(checksum(client.readToEnd())).isEqualTo(checksum(sent));
        }
    }

    @EachTransport
    void slowBackendAppliesBackPressure(TransportKind transport) throws Exception {
        byte[] sent = bytes(MUCH);
        CountDownLatch read = new CountDownLatch(1);
        Script slow = Upgrades.switching(connection -> {
            connection.await(read);
            connection.send(
                    String.format("%016x", checksum(new String(connection.readToEnd(), StandardCharsets.ISO_8859_1))));
        });
        try (TestBackend backend = TestBackend.playing(slow);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> client.send(sent).finishSending());
            balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN));
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);
            read.countDown();

            assertThat(client.readToEnd()).isEqualTo(String.format("%016x", checksum(sent)));
            sending.join();
        }
    }

    /** Data before the switch is only read up to a limit. */
    @EachTransport
    void earlyDataWaitsInSocket(TransportKind transport) throws Exception {
        byte[] sent = bytes(MUCH);
        CountDownLatch held = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Upgrades.echoAfter(held));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST);
            backend.nextRequest();
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> client.send(sent).finishSending());
            balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN), /* min= */ 0);
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);
            assertThat(backend.bytes()).isEqualTo(Upgrades.FORWARDED.length());
            held.countDown();

            client.readHead();
            assertThat(checksum(client.readToEnd())).isEqualTo(checksum(sent));
            sending.join();
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private static long checksum(String text) {
        return checksum(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static long checksum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return (sum.getValue() << 24) | (bytes.length & 0xffffff);
    }
}
