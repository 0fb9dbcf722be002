package io.ballast.discovery.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DnsLookupTest {

    private final LoopbackDns server = new LoopbackDns();

    DnsLookupTest() throws SocketException {}

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void answerHasAllAddressesAndTtl() throws IOException {
        server.set("app.test", 42, "10.0.0.1", "10.0.0.2");

        assertThat(server.lookup().find("app.test")).isEqualTo(answer(42, "10.0.0.1", "10.0.0.2"));
    }

    @Test
    void queriesIpv6WithoutIpv4() throws IOException {
        server.set("six.test", 10, "2001:db8::1").set("both.test", 10, "2001:db8::1", "10.0.0.1");

        assertThat(server.lookup().find("six.test")).isEqualTo(answer(10, "2001:db8::1"));
        assertThat(server.lookup().find("both.test")).isEqualTo(answer(10, "10.0.0.1"));
    }

    @Test
    void followsAliasAndUsesItsTtl() throws IOException {
        server.alias("www.test", 5, "app.test").set("app.test", 300, "10.0.0.1");

        assertThat(server.lookup().find("www.test")).isEqualTo(answer(5, "10.0.0.1"));
    }

    @Test
    void shortNameUsesSearchList() throws IOException {
        server.set("app.prod.test", 10, "10.0.0.1").set("app", 10, "10.0.0.2");

        assertThat(server.lookup("none.test", "prod.test").find("app")).isEqualTo(answer(10, "10.0.0.1"));
        assertThat(server.lookup("none.test", "prod.test").find("app.")).isEqualTo(answer(10, "10.0.0.2"));
        assertThat(server.lookup("test").find("app.prod")).isEqualTo(answer(10, "10.0.0.1"));
    }

    @Test
    void distinguishesMissingNameAndFailingServer() {
        assertThatThrownBy(() -> server.lookup().find("none.test"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("none.test: does not exist, or has no address");

        server.failing(true);

        assertThatThrownBy(() -> server.lookup().find("none.test"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("SERVFAIL");
    }

    private static NameLookup.Answer answer(int ttlSeconds, String... addresses) throws UnknownHostException {
        InetAddress[] all = new InetAddress[addresses.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = InetAddress.getByName(addresses[i]);
        }
        return new NameLookup.Answer(List.of(all), Duration.ofSeconds(ttlSeconds));
    }
}
