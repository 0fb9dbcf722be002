package io.ballast.net.clientlimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class ConnectionsPerClientTest {

    @Test
    void countsIpv4AddressesSeparately() throws Exception {
        ConnectionsPerClient connections = new ConnectionsPerClient(2, 64);

        assertThat(connections.admit(address("192.0.2.1"))).isTrue();
        assertThat(connections.admit(address("192.0.2.1"))).isTrue();
        assertThat(connections.admit(address("192.0.2.1"))).isFalse();
        assertThat(connections.admit(address("192.0.2.2"))).isTrue();
    }

    @Test
    void countsIpv6AddressesByTheirPrefix() throws Exception {
        ConnectionsPerClient connections = new ConnectionsPerClient(1, 64);

        assertThat(connections.admit(address("2001:db8:0:1::1"))).isTrue();
        assertThat(connections.admit(address("2001:db8:0:1:ffff::2"))).isFalse();
        assertThat(connections.admit(address("2001:db8:0:2::1"))).isTrue();
        assertThat(connections.admit(address("2001:db8:0:3::1"))).isTrue();
    }

    @Test
    void acceptsAnyPrefixLength() throws Exception {
        assertThat(areOneClient(56, "2001:db8:0:1ff::1", "2001:db8:0:100::1")).isTrue();
        assertThat(areOneClient(56, "2001:db8:0:1ff::1", "2001:db8:0:200::1")).isFalse();
        assertThat(areOneClient(127, "2001:db8::2", "2001:db8::3")).isTrue();
        assertThat(areOneClient(127, "2001:db8::2", "2001:db8::1")).isFalse();
        assertThat(areOneClient(128, "2001:db8::2", "2001:db8::3")).isFalse();
    }

    @Test
    void distinguishesIpv4FromIpv6WithSameBits() throws Exception {
        assertThat(areOneClient(128, "::c000:201", "192.0.2.1")).isFalse();
    }

    @Test
    void forgetsAClientWhoseLastConnectionClosed() throws Exception {
        ConnectionsPerClient connections = new ConnectionsPerClient(1, 64);
        InetAddress client = address("192.0.2.1");
        connections.admit(client);
        connections.admit(client);
        assertThat(connections.clients()).isEqualTo(1);

        connections.release(client);

        assertThat(connections.clients()).isZero();
        assertThat(connections.admit(client)).isTrue();
    }

    private static boolean areOneClient(int prefixBits, String one, String other) throws Exception {
        ConnectionsPerClient connections = new ConnectionsPerClient(1, prefixBits);
        connections.admit(address(one));
        return !connections.admit(address(other));
    }

    private static InetAddress address(String literal) throws Exception {
        return InetAddress.getByName(literal);
    }
}
