package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.net.Cidr;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.DnsFilterOverrides;
import io.ballast.dashboard.source.DnsServices;
import io.ballast.dashboard.source.FlushResult;
import io.ballast.dashboard.source.Readiness;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeDns;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DashboardRoutesTest {

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(2);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/stats",
                "/api/v1/stats",
                "/api/v1/pools",
                "/api/v1/pools/web",
                "/api/v1/events",
                "/api/v1/health",
                "/api/v1/pools/web/backends/127.0.0.1%3A9001",
                "/healthz",
                "/readyz",
                "/metrics"
            })
    void everyRouteAnswersGetAndHeadWithTheSameHead(String path) throws Exception {
        HttpResponse<String> get = fixture.get(path);
        HttpResponse<String> head = fixture.send("HEAD", path);

        assertThat(get.statusCode()).isEqualTo(200);
        assertThat(get.body()).isNotEmpty();
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("content-type"))
                .isEqualTo(get.headers().firstValue("content-type"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
    void otherMethodsGetA405(String method) throws Exception {
        HttpResponse<String> response = fixture.send(method, "/stats");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).hasValue("GET, HEAD");
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/nothing",
                "/stats/",
                "/..%2Findex.html",
                "/assets/",
                "/assets/app.js",
                "/assets/..%2Findex.html",
                "/assets/%2E%2E%2Findex.html",
                "/assets/../index.html",
                "/docs/..%2FAssets.class",
                "/api/v1/pools/other",
                "/api/v1/pools/web/backends/127.0.0.1%3A1"
            })
    void unknownPathsGetAProblemDocument(String path) throws Exception {
        HttpResponse<String> response = fixture.get(path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(response.body()).contains("\"status\":404").contains("\"title\":\"Not Found\"");
    }

    @Test
    void aPathWithInvalidEncodingIsABadRequest() throws Exception {
        assertThat(fixture.raw("GET /api/v1/pools/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void healthzIsOkWhileReadyzReportsTheReason() throws Exception {
        fixture.readiness(Readiness.notReady("draining"));

        assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(fixture.get("/readyz").statusCode()).isEqualTo(503);
        assertThat(fixture.get("/readyz").body()).isEqualTo("draining\n");
        assertThat(fixture.get("/api/v1/health").body())
                .contains("\"ready\":false")
                .contains("\"reason\":\"draining\"");
    }

    @Test
    void eventsAfterAnIdAreReturned() throws Exception {
        fixture.down(0, "connection refused");
        fixture.down(1, "connection reset");

        assertThat(fixture.get("/api/v1/events").body())
                .contains("connection refused")
                .contains("connection reset");
        assertThat(fixture.get("/api/v1/events?after=1").body())
                .doesNotContain("connection refused")
                .contains("connection reset");
        assertThat(fixture.get("/api/v1/events?after=x").statusCode()).isEqualTo(400);
    }

    @Test
    void dnsServicesAreServedWhileThereIsADnsFrontend() throws Exception {
        assertThat(fixture.get("/api/v1/dns/services").statusCode()).isEqualTo(404);
        fixture.dnsServices(Optional.of(new FakeServices()));
        assertThat(fixture.get("/api/v1/dns/services").body()).contains("app.example.");
        fixture.dns(Optional.of(new FakeDns()));
        assertThat(fixture.get("/api/v1/dns/services").body()).contains("\"queries\":7");
        assertThat(report("web")).isEqualTo(200);
        assertThat(report("other")).isEqualTo(404);
        assertThat(report("web", /* many= */ 200)).isEqualTo(200);
        assertThat(report("web", /* many= */ 257)).isEqualTo(400);

        fixture.topology(DashboardFixture.topology(Map.of("other", 1)));
        assertThat(report("web")).isEqualTo(404);
        assertThat(report("other")).isEqualTo(200);

        fixture.dnsServices(Optional.empty());
        assertThat(fixture.get("/api/v1/dns/services").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/api/v1/dns/explain?name=app.example").statusCode())
                .isEqualTo(404);
        assertThat(report("other")).isEqualTo(404);
    }

    @Test
    void cacheFlushesUseTheQueryParameters() throws Exception {
        assertThat(flush("").statusCode()).isEqualTo(404);
        fixture.dnsServices(Optional.of(new FakeServices()));
        assertThat(flush("").statusCode()).isEqualTo(202);
        assertThat(flush("?name=a.example").statusCode()).isEqualTo(200);
        assertThat(JsonTree.of(flush("").body()).at("forgotten").number()).isEqualTo(7);
        assertThat(JsonTree.of(flush("?name=a.example&below=true").body())
                        .at("forgotten")
                        .number())
                .isEqualTo(3);
        assertThat(JsonTree.of(flush("?name=a.example&below=false").body())
                        .at("forgotten")
                        .number())
                .isEqualTo(1);
        assertThat(flush("?name=a.example&type=A").statusCode()).isEqualTo(400);
        assertThat(flush("?below=yes").body()).contains("true or false");
        assertThat(flush("?name=a.example&name=b.example").statusCode()).isEqualTo(400);
    }

    private HttpResponse<String> flush(String query) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri("/api/v1/dns/cache/flush" + query))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return fixture.client().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void statsReflectAReloadImmediately() throws Exception {
        fixture.traffic(0, 10, 4);
        fixture.topology(DashboardFixture.topology(Map.of("other", 1)));
        fixture.listeners(List.of());

        JsonTree stats = JsonTree.of(fixture.get("/stats").body());

        assertThat(stats.at("pools").at(0).at("name").text()).isEqualTo("other");
        assertThat(stats.at("listeners").items()).isEmpty();
        assertThat(stats.at("total").at("total_req_count").number()).isEqualTo(70);
        assertThat(stats.at("total").at("avg_res_time").number()).isEqualTo(4);
        assertThat(fixture.get("/api/v1/pools/web").statusCode()).isEqualTo(404);
    }

    private int report(String pool) throws IOException, InterruptedException {
        return report(pool, /* many= */ 1);
    }

    private int report(String pool, int many) throws IOException, InterruptedException {
        String one = "{\"client\": \"192.0.2.1\", \"pool\": \"" + pool + "\", \"rtt_ms\": 5}";
        String body = "[" + String.join(",", Collections.nCopies(many, one)) + "]";
        HttpRequest request = HttpRequest.newBuilder(fixture.uri("/api/v1/dns/latency"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return fixture.client()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private record FakeServices() implements DnsServices {

        @Override
        public Map<String, Object> explain(String name, String type, Optional<Cidr> from) {
            return Map.of("type", type, "answer", List.of());
        }

        @Override
        public List<ListedService> services() {
            return List.of(
                    new ListedService("app.example.", List.of("A", "AAAA")),
                    new ListedService("app.example.", List.of("MX")));
        }

        @Override
        public FlushResult flushCache(Optional<String> name, boolean below, Optional<String> type) {
            if (type.isPresent()) {
                throw new IllegalArgumentException("type: no");
            }
            return new FlushResult(name.isEmpty() ? 7 : below ? 3 : 1, /* isPending= */ name.isEmpty());
        }

        @Override
        public DnsFilterOverrides filter() {
            return new FakeFilter();
        }

        @Override
        public void addRoundTrips(List<RoundTrip> reports) {}
    }

    /** A filter that reports its last call as its state. */
    private static final class FakeFilter implements DnsFilterOverrides {

        private String last = "";

        @Override
        public Map<String, Object> state() {
            return Map.of("last", last);
        }

        @Override
        public void pause(Optional<Duration> time, Optional<String> group, String who) {
            last = "pause " + time.map(Duration::toSeconds) + " " + group + " " + who;
        }

        @Override
        public void resume(Optional<String> group, String who) {
            last = "resume " + group + " " + who;
        }

        @Override
        public void allow(String name, String who) {
            last = "allow " + name + " " + who;
        }

        @Override
        public void block(String name, String who) throws IOException {
            if (name.equals("full.example")) {
                throw new IOException("disk full");
            }
            last = "block " + name + " " + who;
        }

        @Override
        public void acceptList(String list, String who) {
            last = "accept " + list + " " + who;
        }

        @Override
        public void removeOverride(String name, String who) {
            throw new IllegalArgumentException("name: " + name + " (expected: another)");
        }
    }

    @Test
    void filterCommandsPassTheirParameters() throws Exception {
        assertThat(filter("pause", "").statusCode()).isEqualTo(404);
        fixture.dnsServices(Optional.of(new FakeServices()));
        assertThat(last("pause", "")).isEqualTo("pause Optional.empty Optional.empty api");
        assertThat(last("pause", "?seconds=60&group=kids&who=ann")).isEqualTo("pause Optional[60] Optional[kids] ann");
        assertThat(last("resume", "?group=kids")).isEqualTo("resume Optional[kids] api");
        assertThat(last("allow", "?name=a.example")).isEqualTo("allow a.example api");
        assertThat(last("accept", "?name=ads&who=ann")).isEqualTo("accept ads ann");
        assertThat(last("block", "?name=a.example")).isEqualTo("block a.example api");
        assertThat(filter("block", "?name=full.example").statusCode()).isEqualTo(500);
        assertThat(filter("forget", "?name=a.example").statusCode()).isEqualTo(400);
        assertThat(filter("block", "").body()).contains("parameter name is missing (expected: a DNS name)");
        assertThat(filter("pause", "?second=1").body()).contains("parameter: second");
        assertThat(filter("pause", "?seconds=soon").body()).contains("seconds: soon (expected: 1..86400)");
        assertThat(JsonTree.of(fixture.get("/api/v1/dns/filter").body())
                        .at("last")
                        .text())
                .isEmpty();
    }

    private String last(String order, String query) throws IOException, InterruptedException {
        return JsonTree.of(filter(order, query).body()).at("last").text();
    }

    private HttpResponse<String> filter(String order, String query) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri("/api/v1/dns/filter/" + order + query))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return fixture.client().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "192.0.2.1", "::"})
    void nonLoopbackAddressesAreRejected(String host) {
        DashboardConfig config = new DashboardConfig(true, new HostPort(host, 0));
        DashboardSources sources =
                DashboardSources.of(() -> DashboardFixture.topology(Map.of("web", 1)), fixture.control(), "1");

        assertThatThrownBy(() -> Dashboard.start(config, sources))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: a loopback address");
    }

    @Test
    void aPortInUseIsNamedInTheError() {
        int port = fixture.dashboard().address().orElseThrow().getPort();
        DashboardConfig config = new DashboardConfig(true, new HostPort("127.0.0.1", port));
        DashboardSources sources =
                DashboardSources.of(() -> DashboardFixture.topology(Map.of("web", 1)), fixture.control(), "1");

        assertThatThrownBy(() -> Dashboard.start(config, sources))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + port);
    }
}
