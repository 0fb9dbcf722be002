package io.ballast.dns;

import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswererFactory;
import io.ballast.dns.net.NettyUdpServer;
import io.ballast.dns.net.UdpServer;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The UDP implementation. The first one that works is chosen: direct system calls, Netty with batched epoll,
 * or NIO.
 *
 * @param kind {@code direct}, {@code epoll} or {@code nio}
 * @param why reason for the choice
 */
public record UdpTransport(String kind, String why) {

    private static final String DIRECT = "direct";

    /**
     * @throws IllegalStateException if direct system calls are configured but do not work; the message gives the cause
     */
    static UdpTransport of(DnsUdpKind wanted, TransportKind transport, NettyTransport netty) {
        if (wanted == DnsUdpKind.NETTY) {
            return new UdpTransport(netty.label(), "as configured");
        }
        Optional<String> obstacle =
                transport == TransportKind.NIO ? Optional.of("transport is nio") : DirectUdp.unavailabilityReason();
        if (obstacle.isEmpty()) {
            return new UdpTransport(DIRECT, "recvmmsg and sendmmsg can be called directly");
        }
        if (wanted == DnsUdpKind.DIRECT) {
            throw new IllegalStateException("dns.udp: direct is not available on this system (" + obstacle.get() + ")");
        }
        return new UdpTransport(netty.label(), "direct system calls are not available: " + obstacle.get());
    }

    boolean isDirect() {
        return kind.equals(DIRECT);
    }

    /** Prepares a server for an address, with one thread or one Netty socket for each event loop. */
    UdpServer prepare(InetSocketAddress address, FrontendLoops<AnswerLoop> loops, AnswererFactory answerers)
            throws IOException {
        if (!isDirect()) {
            return NettyUdpServer.prepare(address, loops);
        }
        List<Integer> inherited = loops.inherited().takeDescriptors(SharedSocket.Kind.BLOCKING_UDP, address);
        return inherited.isEmpty()
                ? DirectUdp.prepare(address, answerers.acquire(loops.all().size()))
                : DirectUdp.adopt(address, answerers.acquire(inherited.size()), inherited);
    }
}
