package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UdpTransportTest {

    private final NettyTransport netty = NettyTransport.forDatagrams(TransportKind.AUTO);

    @Test
    void usesSystemCallsIfAvailable() {
        Optional<String> obstacle = DirectUdp.unavailabilityReason();

        UdpTransport choice = UdpTransport.of(DnsUdpKind.AUTO, TransportKind.AUTO, netty);

        assertThat(choice.kind()).isEqualTo(obstacle.isEmpty() ? "direct" : netty.label());
        obstacle.ifPresent(reason -> assertThat(choice.why()).endsWith(": " + reason));
    }

    @Test
    void usesNettyIfConfigured() {
        assertThat(UdpTransport.of(DnsUdpKind.NETTY, TransportKind.AUTO, netty))
                .isEqualTo(new UdpTransport(netty.label(), "as configured"));
    }

    @Test
    void respectsConfiguredNio() {
        assertThat(UdpTransport.of(DnsUdpKind.AUTO, TransportKind.NIO, NettyTransport.choose(TransportKind.NIO)))
                .isEqualTo(new UdpTransport("nio", "direct system calls are not available: transport is nio"));
        assertThatThrownBy(() ->
                        UdpTransport.of(DnsUdpKind.DIRECT, TransportKind.NIO, NettyTransport.choose(TransportKind.NIO)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("dns.udp: direct is not available on this system (transport is nio)");
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"AUTO", "IO_URING", "EPOLL"})
    void errorExplainsUnavailableTransport(TransportKind transport) {
        Optional<String> obstacle = DirectUdp.unavailabilityReason();
        if (obstacle.isEmpty()) {
            assertThat(UdpTransport.of(DnsUdpKind.DIRECT, transport, netty).kind())
                    .isEqualTo("direct");
            return;
        }
        assertThatThrownBy(() -> UdpTransport.of(DnsUdpKind.DIRECT, transport, netty))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith(" (" + obstacle.get() + ")");
    }
}
