package io.ballast.dns.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.watchdog.ThreadFailure;
import io.ballast.core.watchdog.Watchdog;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.net.UdpFixture.Kind;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.net.listen.PortCheck;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests a UDP server with direct system calls after one of its threads has failed. */
class DirectUdpThreadFailureTest {

    private static final int TRIES = 50;
    private static final int TRY_MILLIS = 200;

    private final AtomicBoolean fails = new AtomicBoolean();
    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    /**
     * Tests that the socket of a failed thread is closed. If it stayed open, the kernel would deliver the queries of
     * its clients to a socket without a reader.
     */
    @Test
    void otherThreadsServeClientsOfFailedThread() throws Exception {
        UdpFixture.assumeThereIs(Kind.DIRECT);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        CompletableFuture<ThreadFailure> failure = new CompletableFuture<>();
        int port = PortCheck.requireFree(List.of(loopback), 0, /* datagrams= */ true);
        InetSocketAddress address = new InetSocketAddress(loopback, port);
        try (CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
                UdpServer server = DirectUdp.bind(address, answerers(zones).acquire(2));
                Watchdog watchdog = new Watchdog(failure::complete);
                DatagramSocket client = new DatagramSocket(0, loopback)) {
            watchdog.watch(server.heartbeats());
            watchdog.start();
            client.setSoTimeout(TRY_MILLIS);
            assertThat(query(client, address)).isTrue();

            fails.set(true);

            assertThat(query(client, address)).isTrue();
            assertThat(fails).isFalse();
            assertThat(failure.get(30, TimeUnit.SECONDS).text()).contains("dns-udp-", "ended by", "no memory");
        }
    }

    private AnswererFactory answerers(CompiledZones zones) {
        Protection protection = Protection.of(
                new CookieConfig(/* enabled= */ false, List.of()),
                Optional.of(RateLimitConfig.DEFAULT),
                InstantSource.system(),
                this::nanoTime);
        return new AnswererFactory(
                zones.published(), new AnswerSettings(protection, "", Duration.ZERO), new DnsStats(/* shards= */ 0));
    }

    private long nanoTime() {
        if (fails.compareAndSet(/* expectedValue= */ true, /* newValue= */ false)) {
            throw new OutOfMemoryError("no memory");
        }
        return System.nanoTime();
    }

    /** Repeats a query from one port until an answer arrives; returns whether one arrived. */
    private static boolean query(DatagramSocket client, InetSocketAddress server) throws IOException {
        for (int i = 1; i <= TRIES; i++) {
            Message query = Messages.query("app.example.com", Type.A);
            query.getHeader().setID(i);
            byte[] wire = query.toWire();
            client.send(new DatagramPacket(wire, wire.length, server));
            DatagramPacket response = new DatagramPacket(new byte[512], 512);
            if (receives(client, response)) {
                return true;
            }
        }
        return false;
    }

    private static boolean receives(DatagramSocket client, DatagramPacket response) throws IOException {
        try {
            client.receive(response);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
