package io.ballast.dashboard.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class KnownClientsTest {

    private final KnownClients known = new KnownClients();

    @Test
    void aClientIsKnownForAWhileAfterALogin() throws Exception {
        assertThat(known.isKnown(address("192.0.2.1"), 0)).isFalse();

        known.recordLogin(address("192.0.2.1"), 0);

        assertThat(known.isKnown(address("192.0.2.1"), KnownClients.RETENTION.toNanos() - 1))
                .isTrue();
        assertThat(known.isKnown(address("192.0.2.1"), KnownClients.RETENTION.toNanos()))
                .isFalse();
        assertThat(known.isKnown(address("192.0.2.2"), 1)).isFalse();
    }

    @Test
    void addressesOfOneIpv6NetworkAreTheSameClient() throws Exception {
        known.recordLogin(address("2001:db8::1"), 0);

        assertThat(known.isKnown(address("2001:db8::ffff"), 1)).isTrue();
        assertThat(known.isKnown(address("2001:db8:0:1::1"), 1)).isFalse();
    }

    @Test
    void loopbackClientsAreKnown() throws Exception {
        assertThat(known.isKnown(address("127.0.0.1"), 0)).isTrue();
        assertThat(known.isKnown(address("::1"), 0)).isTrue();
    }

    @Test
    void theNumberOfClientsIsBounded() throws Exception {
        for (int i = 0; i <= KnownClients.MAX_CLIENTS; i++) {
            known.recordLogin(address("10.0." + i / 256 + "." + i % 256), i);
        }

        assertThat(known.isKnown(address("10.0.0.0"), KnownClients.MAX_CLIENTS))
                .as("the oldest")
                .isFalse();
        assertThat(known.isKnown(address("10.0.0.1"), KnownClients.MAX_CLIENTS)).isTrue();
    }

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByName(text);
    }
}
