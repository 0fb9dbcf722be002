package io.ballast.discovery.consul;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.testing.ManualSourceTime;
import io.ballast.discovery.testing.ReceivedRequest;
import io.ballast.discovery.testing.RecordedReports;
import io.ballast.discovery.testing.ScriptedServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsulSourceTest {

    private static final String ONE = instance("10.1.0.1");
    private static final String TWO =
            "[" + instance("10.1.0.1").substring(1, instance("10.1.0.1").length() - 1) + ","
                    + instance("10.1.0.2").substring(1);
    private static final List<String> FIRST = List.of("10.1.0.1:8080");
    private static final List<String> BOTH = List.of("10.1.0.1:8080", "10.1.0.2:8080");

    private final ScriptedServer server = ScriptedServer.onLoopback();
    private final ManualSourceTime time = new ManualSourceTime();
    private final RecordedReports reports = new RecordedReports();
    private ConsulSource source = source(server.uri(), Duration.ofSeconds(20));

    ConsulSourceTest() throws IOException {}

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    @Test
    void blockingQueryWaitsForNewIndex() throws Exception {
        source.start(reports);

        ReceivedRequest first = server.next();
        assertThat(first.target()).isEqualTo("/v1/health/service/web?passing=1&tag=blue%20green&dc=east");
        assertThat(first.header("X-Consul-Token")).isEqualTo("secret");
        first.answer(200, ONE, "X-Consul-Index: 17");
        assertThat(reports.next()).isEqualTo(FIRST);
        assertThat(time.pass()).isEqualTo(Duration.ofMillis(500));
        ReceivedRequest second = server.next();
        assertThat(second.target())
                .matches("/v1/health/service/web\\?passing=1&tag=blue%20green&dc=east&index=17&wait=[3-6][0-9]s");
        assertThat(reports.isSilent()).isTrue();
        second.answer(200, TWO, "X-Consul-Index: 18");
        assertThat(reports.next()).isEqualTo(BOTH);
        time.pass();
        assertThat(server.next().target()).contains("&index=18&");
    }

    @Test
    void decreasedIndexIsReset() throws Exception {
        source.start(reports);
        server.next().answer(200, TWO, "X-Consul-Index: 1700");
        assertThat(reports.next()).isEqualTo(BOTH);
        time.pass();

        server.next().answer(200, ONE, "X-Consul-Index: 3");

        assertThat(reports.next()).isEqualTo(FIRST);
        time.pass();
        ReceivedRequest again = server.next();
        assertThat(again.target()).doesNotContain("index");
        again.answer(200, ONE, "X-Consul-Index: 3");
        assertThat(reports.next()).isEqualTo(FIRST);
        time.pass();
        assertThat(server.next().target()).contains("&index=3&");
    }

    @Test
    void failedServerIsRetriedLater() throws Exception {
        source.start(reports);
        server.next().answer(200, ONE, "X-Consul-Index: 17");
        assertThat(reports.next()).isEqualTo(FIRST);
        time.pass();

        server.next().answer(500, "No cluster leader\n");

        assertThat(reports.next()).isEqualTo("failed: status 500: No cluster leader");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        ReceivedRequest second = server.next();
        assertThat(second.target()).doesNotContain("index");
        second.answerHalf(TWO, "X-Consul-Index: 18");
        assertThat(reports.next().toString()).startsWith("failed: 127.0.0.1:");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
        ReceivedRequest third = server.next();
        third.send("HTTP/1.1 200 OK\r\nContent-");
        third.end();
        assertThat(reports.next().toString()).startsWith("failed: 127.0.0.1:");
        time.pass();
        server.next().answer(200, TWO.substring(0, TWO.length() - 2), "X-Consul-Index: 18");
        assertThat(reports.next().toString()).startsWith("failed: unexpected JSON, in line 1, column ");
        time.pass();
        server.next().answer(200, "{}", "X-Consul-Index: 18");
        assertThat(reports.next().toString()).contains("expected an array");
        time.pass();
        server.next().answer(200, TWO, "X-Consul-Index: 18");
        assertThat(reports.next()).isEqualTo(BOTH);
    }

    @Test
    void unresponsiveServerTimesOut() throws Exception {
        source.close();
        source = source(server.uri(), Duration.ofMillis(300));

        source.start(reports);

        Optional<ReceivedRequest> slow = Optional.empty();
        while (slow.isEmpty()) { // the source may abandon a request before it is sent
            assertThat(reports.next().toString()).endsWith(": no complete response after 300ms");
            slow = server.poll();
            time.pass();
        }
        assertThat(slow.get().isLeft()).isTrue();
    }

    @Test
    void errorNamesUnreachableServer() throws Exception {
        URI unused = server.uri();
        server.close();

        source.start(reports);

        assertThat(reports.next()).isEqualTo("failed: " + unused.getAuthority() + ": connection refused");
    }

    @Test
    void pollsServerWithoutIndex() throws Exception {
        source.start(reports);

        server.next().answer(200, "[]");

        assertThat(reports.next()).isEqualTo(List.of());
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(10));
        assertThat(server.next().target()).doesNotContain("index");
    }

    @Test
    void closeEndsQueryAndThread() throws Exception {
        source.start(reports);
        server.next().answer(200, ONE, "X-Consul-Index: 17");
        assertThat(reports.next()).isEqualTo(FIRST);
        time.pass();
        ReceivedRequest waiting = server.next();

        source.close();

        assertThat(reports.tellerEnds()).isTrue();
        assertThat(waiting.isLeft()).isTrue();
        assertThat(reports.isSilent()).isTrue();
    }

    private ConsulSource source(URI uri, Duration timeout) {
        return new ConsulSource(
                new DiscoveryConfig.Consul(
                        uri, "web", Optional.of("blue green"), Optional.of("secret"), Optional.of("east")),
                time.pacing(),
                timeout);
    }

    private static String instance(String address) {
        return "[{\"Node\": {\"Address\": \"10.1.9.9\"}, \"Service\": {\"ID\": \"web\", \"Address\": \"" + address
                + "\", \"Port\": 8080, \"Weights\": {\"Passing\": 1, \"Warning\": 1}}, \"Checks\": []}]";
    }
}
