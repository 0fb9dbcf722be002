package io.ballast.discovery.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.discovery.names.RecordLookup.Service;
import io.ballast.discovery.names.RecordLookup.Services;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DnsRecordsTest {

    private final LoopbackDns server = new LoopbackDns();

    DnsRecordsTest() throws SocketException {}

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void findsIpv4AndIpv6() throws IOException {
        server.set("both.test", 42, "10.0.0.2", "2001:db8::1", "10.0.0.1")
                .set("six.test", 7, "2001:db8::2")
                .alias("www.test", 5, "both.test");

        assertThat(server.records().findAll("both.test"))
                .isEqualTo(new NameLookup.Answer(
                        List.of(address("10.0.0.2"), address("10.0.0.1"), address("2001:db8::1")),
                        Duration.ofSeconds(42)));
        assertThat(server.records().findAll("six.test").addresses()).containsExactly(address("2001:db8::2"));
        assertThat(server.records().findAll("www.test").ttl()).isEqualTo(Duration.ofSeconds(5));
        assertThat(server.records("none.test", "test").findAll("six").ttl()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void findsServicesWithAdditionalAddresses() throws IOException {
        server.services("_http._tcp.test", 60, "10 5 8080 a.test", "20 0 8081 b.test")
                .set("a.test", 20, "10.0.0.1", "2001:db8::1");
        server.sendAlong(true);

        assertThat(server.records().findServices("_http._tcp.test"))
                .isEqualTo(new Services(
                        List.of(
                                new Service(
                                        10, 5, "a.test.", 8080, List.of(address("10.0.0.1"), address("2001:db8::1"))),
                                new Service(20, 0, "b.test.", 8081, List.of())),
                        Duration.ofSeconds(20)));
    }

    @Test
    void rootTargetIsNoService() throws IOException {
        server.services("_http._tcp.test", 60, "0 0 0 .");

        assertThat(server.records().findServices("_http._tcp.test"))
                .isEqualTo(new Services(List.of(), Duration.ofSeconds(60)));
    }

    @Test
    void distinguishesMissingAndFailing() throws IOException {
        server.set("a.test", 20, "10.0.0.1");

        assertThatThrownBy(() -> server.records().findAll("none.test"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("none.test: does not exist, or has no address");
        assertThatThrownBy(() -> server.records().findServices("a.test"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("a.test: does not exist, or has no SRV record");

        server.failing(true);

        assertThatThrownBy(() -> server.records().findServices("a.test")).hasMessageContaining("SERVFAIL");
    }

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByName(text);
    }
}
