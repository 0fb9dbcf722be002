package io.ballast.agent.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.config.RegisteredBackend;
import io.ballast.agent.config.ReportTo;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;
import io.ballast.dashboard.document.RoundTripJson;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import java.io.BufferedReader;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClientTimesTest {

    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final ClientTimes times = new ClientTimes(config());
    private long nanos;

    @Test
    void outputOfSsIsRead() throws Exception {
        assertThat(SocketList.read(new BufferedReader(new StringReader("""
            0      0          10.0.1.5:8080    203.0.113.9:51334
            \t cubic wscale:7,7 rto:204 rtt:12.5/6.25 ato:40 mss:1448
            0      0      [::ffff:10.0.1.5]:8080    [::ffff:198.51.100.7]:4000
            \t cubic rto:204 rtt:0.041/0.025 mss:1448
            0      0      [2001:db8::5]:8080    [2001:db8:7::9]:4001 timer:(keepalive,1min,0)
            \t cubic rto:204 rtt:100/50 mss:1448
            0      0      [fe80::1]%eth0:8080    [fe80::2]%eth0:4001
            \t cubic rto:204 rtt:1/1 mss:1448
            0      0      10.0.1.5:8080    203.0.113.10:1
            \t no time
            nonsense
            """))))
                .containsExactly(
                        new SocketTime(8080, IpAddress.parse("203.0.113.9"), 51334, 12_500),
                        new SocketTime(8080, IpAddress.parse("198.51.100.7"), 4000, 41),
                        new SocketTime(8080, IpAddress.parse("2001:db8:7::9"), 4001, 100_000));
    }

    @Test
    void connectionsCountOnceTheyAreOldEnough() {
        SocketTime open = socket(8080, "203.0.113.9", 1, 20_000);
        assertThat(sample(Duration.ZERO, open)).isEmpty();
        assertThat(sample(Duration.ofMillis(4_999), open)).isEmpty();
        assertThat(sample(Duration.ofMillis(1), open)).containsExactly(time("203.0.113.0", "web", 20_000));

        assertThat(sample(INTERVAL)).isEmpty();
        assertThat(sample(INTERVAL, open))
                .as("a new connection from the same port")
                .isEmpty();
    }

    @Test
    void timesAreMediansOfNetworksAndAttributedByPort() {
        SocketTime[] open = {
            socket(8080, "203.0.113.9", 1, 10_000),
            socket(8080, "203.0.113.200", 2, 30_000),
            socket(8080, "203.0.113.9", 3, 900_000),
            socket(9090, "203.0.113.9", 4, 5_000),
            socket(22, "203.0.113.9", 5, 1_000),
            socket(8080, "2001:db8:7:1::9", 6, 40_000),
        };
        sample(Duration.ZERO, open);

        assertThat(sample(INTERVAL, open))
                .containsExactlyInAnyOrder(
                        time("203.0.113.0", "web", 30_000),
                        time("203.0.113.0", "db", 5_000),
                        time("2001:db8:7::", "web", 40_000));
    }

    @Test
    void nodesAndThisMachineAreNoClients() {
        SocketTime[] open = {
            socket(8080, "127.0.0.1", 1, 10_000),
            socket(8080, "::1", 2, 10_000),
            socket(8080, "10.0.0.1", 3, 10_000),
            socket(8080, "10.0.1.5", 4, 10_000),
        };
        sample(Duration.ZERO, open);

        assertThat(sample(INTERVAL, open)).isEmpty();
    }

    @Test
    void resultsAreBoundedAndFitIntoRequests() {
        List<SocketTime> open = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            open.add(socket(8080, "10.%d.%d.1".formatted(100 + i / 250, i % 250), i, 10_000));
        }
        times.sample(open, nanos);
        nanos += INTERVAL.toNanos();
        List<RoundTrip> all = times.sample(open, nanos);

        assertThat(all).hasSize(ClientTimes.MAX_NETWORKS);
        assertThat(SocketCommand.documents(all))
                .hasSize(7)
                .allSatisfy(document -> assertThat(document).hasSizeLessThan(16 * 1024))
                .allSatisfy(document ->
                        assertThat(RoundTripJson.read(document, Set.of("web"))).isNotEmpty());
    }

    private List<RoundTrip> sample(Duration later, SocketTime... open) {
        nanos += later.toNanos();
        return times.sample(List.of(open), nanos);
    }

    private static SocketTime socket(int port, String peer, int peerPort, long micros) {
        return new SocketTime(port, IpAddress.parse(peer), peerPort, micros);
    }

    private static RoundTrip time(String network, String pool, long micros) {
        return new RoundTrip(IpAddress.parse(network), pool, Duration.ofNanos(micros * 1_000));
    }

    private static AgentConfig config() {
        return new AgentConfig(
                List.of(URI.create("https://10.0.0.1:8444"), URI.create("https://node.example:8444")),
                Optional.empty(),
                "token",
                Path.of("data"),
                Optional.empty(),
                ReportTo.ALL,
                AgentConfig.DEFAULT_HEARTBEAT,
                AgentConfig.DEFAULT_DRAIN_TIME,
                /* latency= */ true,
                List.of(backend("web", 8080), backend("db", 9090)));
    }

    private static RegisteredBackend backend(String pool, int port) {
        return new RegisteredBackend(pool, new HostPort("10.0.1.5", port), 1, HealthConfig.DEFAULT, Optional.empty());
    }
}
