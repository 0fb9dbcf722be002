package io.ballast.discovery.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.testing.ManualSourceTime;
import io.ballast.discovery.testing.ReceivedRequest;
import io.ballast.discovery.testing.RecordedReports;
import io.ballast.discovery.testing.ScriptedServer;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerSourceTest {

    private static final String ONE = "[" + container("10.0.0.1") + "]\n";
    private static final String TWO = "[" + container("10.0.0.1") + "," + container("10.0.0.2") + "]\n";
    private static final List<String> FIRST = List.of("10.0.0.1:80");
    private static final List<String> BOTH = List.of("10.0.0.1:80", "10.0.0.2:80");
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String EVENT =
            "{\"status\":\"start\",\"Type\":\"container\",\"Action\":\"start\",\"time\":1}\n";

    private final ManualSourceTime time = new ManualSourceTime();
    private final RecordedReports reports = new RecordedReports();

    @TempDir
    private Path directory;

    private ScriptedServer server;
    private DockerSource source;

    @BeforeEach
    void make() throws IOException {
        server = ScriptedServer.at(directory.resolve("docker.sock"));
        source = source(LONG, LONG);
    }

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    @Test
    void listsContainersAfterSubscriptionAndEachEvent() throws Exception {
        source.start(reports);

        ReceivedRequest events = server.next();
        assertThat(decoded(events))
                .isEqualTo("/events?filters={\"type\":[\"container\"],\"label\":[\"ballast.pool=we\\\"b\"],"
                        + "\"event\":[\"start\",\"die\",\"pause\",\"unpause\",\"health_status\"]}");
        events.stream();
        ReceivedRequest list = server.next();
        assertThat(decoded(list))
                .isEqualTo("/containers/json?filters={\"label\":[\"ballast.pool=we\\\"b\"],\"status\":[\"running\"]}");
        list.answer(200, ONE);
        assertThat(reports.next()).isEqualTo(FIRST);
        events.chunk(EVENT);
        events.chunk(EVENT + EVENT);
        assertThat(time.pass()).isEqualTo(Duration.ofMillis(250));
        ReceivedRequest chunked = server.next();
        chunked.stream();
        chunked.chunk(TWO.substring(0, 33));
        chunked.chunk(TWO.substring(33));
        chunked.lastChunk();
        assertThat(reports.next()).isEqualTo(BOTH);
    }

    @Test
    void listsContainersPeriodically() throws Exception {
        source.close();
        source = source(LONG, Duration.ofMillis(20));
        source.start(reports);
        server.next().stream();
        server.next().answer(200, ONE);
        assertThat(reports.next()).isEqualTo(FIRST);

        server.next().answer(200, TWO);

        assertThat(reports.next()).isEqualTo(BOTH);
    }

    @Test
    void reopensLostStreamAndListsContainers() throws Exception {
        source.start(reports);
        ReceivedRequest events = server.next();
        events.stream();
        server.next().answer(200, ONE);
        assertThat(reports.next()).isEqualTo(FIRST);

        events.send("20\r\n{\"status\"");
        events.end();

        assertThat(time.pass()).isEqualTo(Duration.ofMillis(250));
        assertThat(reports.next()).isEqualTo("failed: response is truncated");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        ReceivedRequest again = server.next();
        assertThat(again.target()).startsWith("/events?");
        again.stream();
        server.next().answer(200, TWO);
        assertThat(reports.next()).isEqualTo(BOTH);
        again.lastChunk();
        assertThat(reports.next()).isEqualTo("failed: event stream has ended");
    }

    @Test
    void failedDaemonIsRetried() throws Exception {
        source.start(reports);

        server.next().answer(500, "{\"message\":\"server is\\nshutting down\"}");

        assertThat(reports.next()).isEqualTo("failed: status 500: server is shutting down");
        time.pass();
        server.next().stream();
        server.next().answerHalf(ONE);
        assertThat(reports.next()).isEqualTo("failed: response is truncated");
        time.pass();
        server.next().stream();
        server.next().answer(200, ONE.substring(0, 40));
        assertThat(reports.next().toString()).startsWith("failed: unexpected JSON");
        time.pass();
        server.next().send("SSH-2.0-OpenSSH\r\n");
        assertThat(reports.next()).isEqualTo("failed: not an HTTP/1.1 response: SSH-2.0-OpenSSH");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(16));
    }

    @Test
    void unresponsiveDaemonTimesOut() throws Exception {
        source.close();
        source = source(Duration.ofMillis(300), LONG);

        source.start(reports);

        ReceivedRequest slow = server.next();
        assertThat(reports.next()).isEqualTo("failed: no data received for 300ms");
        assertThat(slow.isLeft()).isTrue();
    }

    @Test
    void errorNamesMissingSocket() throws Exception {
        source.close();
        source = new DockerSource(
                new DiscoveryConfig.Docker(directory.resolve("none.sock"), "web", Optional.of(80)), time.pacing());

        source.start(reports);

        assertThat(reports.next().toString()).startsWith("failed: " + directory.resolve("none.sock") + ": ");
    }

    @Test
    void closeEndsStreamAndThread() throws Exception {
        source.start(reports);
        ReceivedRequest events = server.next();
        events.stream();
        server.next().answer(200, ONE);
        assertThat(reports.next()).isEqualTo(FIRST);

        source.close();

        assertThat(reports.tellerEnds()).isTrue();
        assertThat(events.isLeft()).isTrue();
        assertThat(reports.isSilent()).isTrue();
    }

    private DockerSource source(Duration timeout, Duration withoutEvents) {
        return new DockerSource(
                new DiscoveryConfig.Docker(directory.resolve("docker.sock"), "we\"b", Optional.of(80)),
                time.pacing(),
                timeout,
                withoutEvents);
    }

    private static String decoded(ReceivedRequest request) {
        return URLDecoder.decode(request.target(), StandardCharsets.UTF_8);
    }

    private static String container(String address) {
        return "{\"Id\":\"8dfafdbc3a40\",\"Names\":[\"/web\"],\"State\":\"running\",\"Status\":\"Up 2 hours\","
                + "\"NetworkSettings\":{\"Networks\":{\"bridge\":{\"IPAddress\":\"" + address + "\"}}}}";
    }
}
