package io.ballast.discovery.consul;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.testing.Asked;
import io.ballast.discovery.testing.Heard;
import io.ballast.discovery.testing.ScriptedServer;
import io.ballast.discovery.testing.TurnedTime;
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
    private final TurnedTime time = new TurnedTime();
    private final Heard heard = new Heard();
    private ConsulSource source = source(server.uri(), Duration.ofSeconds(20));

    ConsulSourceTest() throws IOException {}

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    @Test
    void blockingQueryWaitsForNewIndex() throws Exception {
        source.start(heard);

        Asked first = server.next();
        assertThat(first.target()).isEqualTo("/v1/health/service/web?passing=1&tag=blue%20green&dc=east");
        assertThat(first.header("X-Consul-Token")).isEqualTo("secret");
        first.answer(200, ONE, "X-Consul-Index: 17");
        assertThat(heard.next()).isEqualTo(FIRST);
        assertThat(time.pass()).isEqualTo(Duration.ofMillis(500));
        Asked second = server.next();
        assertThat(second.target())
                .matches("/v1/health/service/web\\?passing=1&tag=blue%20green&dc=east&index=17&wait=[3-6][0-9]s");
        assertThat(heard.isSilent()).isTrue();
        second.answer(200, TWO, "X-Consul-Index: 18");
        assertThat(heard.next()).isEqualTo(BOTH);
        time.pass();
        assertThat(server.next().target()).contains("&index=18&");
    }

    @Test
    void decreasedIndexIsReset() throws Exception {
        source.start(heard);
        server.next().answer(200, TWO, "X-Consul-Index: 1700");
        assertThat(heard.next()).isEqualTo(BOTH);
        time.pass();

        server.next().answer(200, ONE, "X-Consul-Index: 3");

        assertThat(heard.next()).isEqualTo(FIRST);
        time.pass();
        Asked again = server.next();
        assertThat(again.target()).doesNotContain("index");
        again.answer(200, ONE, "X-Consul-Index: 3");
        assertThat(heard.next()).isEqualTo(FIRST);
        time.pass();
        assertThat(server.next().target()).contains("&index=3&");
    }

    @Test
    void failedServerIsRetriedLater() throws Exception {
        source.start(heard);
        server.next().answer(200, ONE, "X-Consul-Index: 17");
        assertThat(heard.next()).isEqualTo(FIRST);
        time.pass();

        server.next().answer(500, "No cluster leader\n");

        assertThat(heard.next()).isEqualTo("failed: status 500: No cluster leader");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        Asked second = server.next();
        assertThat(second.target()).doesNotContain("index");
        second.answerHalf(TWO, "X-Consul-Index: 18");
        assertThat(heard.next().toString()).startsWith("failed: 127.0.0.1:");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
        Asked third = server.next();
        third.send("HTTP/1.1 200 OK\r\nContent-");
        third.end();
        assertThat(heard.next().toString()).startsWith("failed: 127.0.0.1:");
        time.pass();
        server.next().answer(200, TWO.substring(0, TWO.length() - 2), "X-Consul-Index: 18");
        assertThat(heard.next().toString()).startsWith("failed: unexpected JSON, in line 1, column ");
        time.pass();
        server.next().answer(200, "{}", "X-Consul-Index: 18");
        assertThat(heard.next().toString()).contains("expected an array");
        time.pass();
        server.next().answer(200, TWO, "X-Consul-Index: 18");
        assertThat(heard.next()).isEqualTo(BOTH);
    }

    @Test
    void unresponsiveServerTimesOut() throws Exception {
        source.close();
        source = source(server.uri(), Duration.ofMillis(300));

        source.start(heard);

        Optional<Asked> slow = Optional.empty();
        while (slow.isEmpty()) { // the source may abandon a request before it is sent
            assertThat(heard.next().toString()).endsWith(": no complete response after 300ms");
            slow = server.poll();
            time.pass();
        }
        assertThat(slow.get().isLeft()).isTrue();
    }

    @Test
    void errorNamesUnreachableServer() throws Exception {
        URI nobody = server.uri();
        server.close();

        source.start(heard);

        assertThat(heard.next()).isEqualTo("failed: " + nobody.getAuthority() + ": connection refused");
    }

    @Test
    void pollsServerWithoutIndex() throws Exception {
        source.start(heard);

        server.next().answer(200, "[]");

        assertThat(heard.next()).isEqualTo(List.of());
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(10));
        assertThat(server.next().target()).doesNotContain("index");
    }

    @Test
    void closeEndsQueryAndThread() throws Exception {
        source.start(heard);
        server.next().answer(200, ONE, "X-Consul-Index: 17");
        assertThat(heard.next()).isEqualTo(FIRST);
        time.pass();
        Asked waiting = server.next();

        source.close();

        assertThat(heard.tellerEnds()).isTrue();
        assertThat(waiting.isLeft()).isTrue();
        assertThat(heard.isSilent()).isTrue();
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
