package io.ballast.discovery.kubernetes;

import static io.ballast.discovery.kubernetes.Slices.LEAVING;
import static io.ballast.discovery.kubernetes.Slices.READY;
import static io.ballast.discovery.kubernetes.Slices.at;
import static io.ballast.discovery.kubernetes.Slices.bookmark;
import static io.ballast.discovery.kubernetes.Slices.endpoint;
import static io.ballast.discovery.kubernetes.Slices.event;
import static io.ballast.discovery.kubernetes.Slices.list;
import static io.ballast.discovery.kubernetes.Slices.slice;
import static io.ballast.discovery.kubernetes.Slices.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.testing.ManualSourceTime;
import io.ballast.discovery.testing.ReceivedRequest;
import io.ballast.discovery.testing.RecordedReports;
import io.ballast.discovery.testing.ScriptedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesSourceTest {

    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices"
            + "?labelSelector=kubernetes.io%2Fservice-name%3Dweb";
    private static final String A = slice("web-a", 90, endpoint("10.0.0.1", READY));
    private static final String B = slice("web-b", 101, endpoint("10.0.0.2", READY));

    private final ScriptedServer server = ScriptedServer.onLoopback();
    private final ManualSourceTime time = new ManualSourceTime();
    private final RecordedReports reports = new RecordedReports();

    @TempDir
    private Path directory;

    private KubernetesSource source;

    KubernetesSourceTest() throws IOException {}

    @BeforeEach
    void make() throws IOException {
        source = source(Duration.ofSeconds(20));
        Files.writeString(directory.resolve("token"), "first\n");
    }

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    @Test
    void pagesAreJoinedAndFollowedByWatch() throws Exception {
        source.start(reports);

        ReceivedRequest first = server.next();
        assertThat(first.target()).isEqualTo(SLICES + "&limit=500");
        assertThat(first.header("Authorization")).isEqualTo("Bearer first");
        first.answer(200, list(100, "abc/=", A));
        ReceivedRequest second = server.next();
        assertThat(second.target()).isEqualTo(SLICES + "&limit=500&continue=abc%2F%3D");
        second.answer(200, list(100, "", B));
        assertThat(reports.next()).isEqualTo(at("10.0.0.1", "10.0.0.2"));
        time.pass();
        assertThat(server.next().target())
                .startsWith(SLICES + "&watch=1&allowWatchBookmarks=true&resourceVersion=100&timeoutSeconds=");
    }

    @Test
    void changesAreReportedImmediately() throws Exception {
        ReceivedRequest watch = watchAfterList();

        watch.chunk(event("ADDED", B));
        assertThat(reports.next()).isEqualTo(at("10.0.0.1", "10.0.0.2"));
        String changed =
                event("MODIFIED", slice("web-a", 102, endpoint("10.0.0.1", LEAVING), endpoint("10.0.0.3", READY)));
        watch.chunk(changed.substring(0, 50));
        watch.chunk(changed.substring(50));
        assertThat(reports.next()).isEqualTo(List.of("10.0.0.1:8080 draining", "10.0.0.2:8080", "10.0.0.3:8080"));
        watch.chunk(bookmark(200) + event("DELETED", slice("web-b", 201, endpoint("10.0.0.2", READY))));
        assertThat(reports.next()).isEqualTo(List.of("10.0.0.1:8080 draining", "10.0.0.3:8080"));
    }

    @Test
    void watchContinuesFromBookmarkWithCurrentToken() throws Exception {
        ReceivedRequest watch = watchAfterList();
        Files.writeString(directory.resolve("token"), "second");

        watch.chunk(bookmark(150));
        assertThat(reports.isConfirmed()).as("by the bookmark").isTrue();
        watch.lastChunk();
        assertThat(reports.isConfirmed()).as("by the regular end of the watch").isTrue();

        time.pass();
        ReceivedRequest next = server.next();
        assertThat(next.target()).contains("&resourceVersion=150&");
        assertThat(next.header("Authorization")).isEqualTo("Bearer second");
        assertThat(reports.isSilent()).isTrue();
        next.stream();
        next.lastChunk();
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(1));
        assertThat(server.next().target()).contains("&resourceVersion=150&");
    }

    @Test
    void expiredVersionCausesNewList() throws Exception {
        ReceivedRequest watch = watchAfterList();
        watch.chunk(event("ERROR", status(410, "too old resource version: 100 (5000)")));

        time.pass();
        server.next().answer(200, list(5000, "", B));

        assertThat(reports.next()).isEqualTo(at("10.0.0.2"));
        time.pass();
        ReceivedRequest again = server.next();
        assertThat(again.target()).contains("&resourceVersion=5000&");
        again.answer(410, status(410, "too old"));
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(1));
        assertThat(server.next().target()).isEqualTo(SLICES + "&limit=500");
        assertThat(reports.isSilent()).isTrue();
    }

    @Test
    void decreasedVersionCausesNewList() throws Exception {
        ReceivedRequest watch = watchAfterList();

        watch.chunk(event("MODIFIED", slice("web-a", 99)));

        assertThat(reports.next()).isEqualTo("failed: resourceVersion decreased from 100 to 99");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        server.next().answer(200, list(50, "", A, B));
        assertThat(reports.next()).isEqualTo(at("10.0.0.1", "10.0.0.2"));
        time.pass();
        assertThat(server.next().target()).contains("&resourceVersion=50&");
    }

    @Test
    void interruptedWatchCausesNewList() throws Exception {
        ReceivedRequest watch = watchAfterList();

        watch.chunk(event("ADDED", B).substring(0, 100));
        watch.end();

        assertThat(reports.next().toString()).startsWith("failed: response is truncated: ");
        time.pass();
        ReceivedRequest list = server.next();
        assertThat(list.target()).isEqualTo(SLICES + "&limit=500");
        list.answerHalf(list(100, "", A));
        assertThat(reports.next().toString()).startsWith("failed: 127.0.0.1:");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
        server.next().answer(200, list(101, "", A).substring(0, 200));
        assertThat(reports.next().toString()).startsWith("failed: unexpected JSON, in line 1, column ");
    }

    @Test
    void truncatedLineIsFailure() throws Exception {
        ReceivedRequest watch = watchAfterList();

        watch.chunk(event("ADDED", B).substring(0, 100));
        watch.lastChunk();

        assertThat(reports.next()).isEqualTo("failed: answer ends in the middle of a line");
    }

    @Test
    void errorQuotesServer() throws Exception {
        source.start(reports);

        server.next().answer(403, status(403, "endpointslices.discovery.k8s.io is forbidden"));

        assertThat(reports.next()).isEqualTo("failed: status 403: endpointslices.discovery.k8s.io is forbidden");
        time.pass();
        server.next().answer(500, "");
        assertThat(reports.next()).isEqualTo("failed: status 500");
        time.pass();
        server.next().answer(200, list(100, "", A));
        assertThat(reports.next()).isEqualTo(at("10.0.0.1"));
        time.pass();
        server.next().answer(503, "apiserver is shutting down");
        assertThat(reports.next()).isEqualTo("failed: status 503: apiserver is shutting down");
    }

    @Test
    void failingWatchIsRetriedWithBackoff() throws Exception {
        source.start(reports);

        for (int i = 0; i < 6; i++) {
            server.next().answer(200, list(100, "", A));
            assertThat(reports.next()).isEqualTo(at("10.0.0.1"));
            time.pass();
            server.next().answer(500, "");
            assertThat(reports.next()).isEqualTo("failed: status 500");
            if (i < 5) {
                time.pass();
            }
        }

        assertThat(time.pass()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
    }

    @Test
    void unresponsiveServerTimesOut() throws Exception {
        source.close();
        source = source(Duration.ofMillis(300));

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
    void errorNamesMissingTokenFile() throws Exception {
        Files.delete(directory.resolve("token"));

        source.start(reports);

        assertThat(reports.next())
                .isEqualTo(
                        "failed: " + directory.resolve("token") + ": not a regular file, or the file does not exist");
    }

    @Test
    void closeEndsWatchAndThread() throws Exception {
        ReceivedRequest watch = watchAfterList();
        watch.chunk(event("ADDED", B));
        assertThat(reports.next()).isEqualTo(at("10.0.0.1", "10.0.0.2"));

        source.close();

        assertThat(reports.tellerEnds()).isTrue();
        assertThat(watch.isLeft()).isTrue();
        assertThat(reports.isSilent()).isTrue();
    }

    private ReceivedRequest watchAfterList() throws Exception {
        source.start(reports);
        server.next().answer(200, list(100, "", A));
        assertThat(reports.next()).isEqualTo(at("10.0.0.1"));
        time.pass();
        ReceivedRequest watch = server.next();
        watch.stream();
        return watch;
    }

    private KubernetesSource source(Duration timeout) throws IOException {
        DiscoveryConfig.Kubernetes settings = new DiscoveryConfig.Kubernetes(
                Optional.of("prod"),
                "web",
                Optional.of("http"),
                Optional.of(server.uri()),
                Optional.of(directory.resolve("token")),
                Optional.empty());
        return new KubernetesSource(
                settings, new ApiServer(settings, Map.of(), directory.resolve("none")), time.pacing(), timeout);
    }
}
