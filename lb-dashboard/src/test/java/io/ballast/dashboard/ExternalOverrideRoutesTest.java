package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.ExternalOverride.State;
import io.ballast.core.backend.ExternalOverrideSet;
import io.ballast.core.control.RejectedChangeException;
import io.ballast.core.health.ExternalOverrides.Outcome;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeExternalOverrides.Call;
import io.ballast.dashboard.testing.JsonTree;
import io.ballast.dashboard.testing.TestUsers;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalOverrideRoutesTest {

    private static final String BACKEND = "/api/v1/overrides/web/127.0.0.1:9001";
    private static final ExternalOverride.Key KEY = new ExternalOverride.Key("web", "127.0.0.1:9001", "lag");

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = DashboardFixture.withUsers();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void anOverrideHasStateWeightReasonAndExpiry() throws Exception {
        HttpResponse<String> response = put("""
            {"state": "down", "weight": 3, "reason": "replication lag", "expires": "5m", "confirm": true}\
            """);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JsonTree.of(response.body()).names()).containsExactly("pool", "backend", "overrides");
        Call call = fixture.overrides().take().orElseThrow();
        assertThat(call.key()).isEqualTo(KEY);
        assertThat(call.confirmed()).isTrue();
        ExternalOverride override = call.override().orElseThrow();
        assertThat(override.state()).contains(State.DOWN);
        assertThat(override.weight()).hasValue(3);
        assertThat(override.reason()).isEqualTo("replication lag");
        assertThat(Duration.between(override.since(), override.expires())).isEqualTo(Duration.ofMinutes(5));
        assertThat(override.renewed()).isEqualTo(override.since());
    }

    @Test
    void theExpiryMayBeATimeAndIsAnHourByDefault() throws Exception {
        Instant end = Instant.now().plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.SECONDS);

        put("{\"state\": \"up\", \"expires\": \"" + end + "\"}");
        assertThat(fixture.overrides()
                        .take()
                        .orElseThrow()
                        .override()
                        .orElseThrow()
                        .expires())
                .isEqualTo(end);

        put("{\"state\": \"up\"}");
        ExternalOverride override =
                fixture.overrides().take().orElseThrow().override().orElseThrow();
        assertThat(Duration.between(override.since(), override.expires())).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void parametersMayBeInTheQuery() throws Exception {
        assertThat(send("PUT", BACKEND + "?state=drain&expires=10s&reason=a%20b", TestUsers.OPERATOR_TOKEN, "")
                        .statusCode())
                .isEqualTo(200);

        ExternalOverride override =
                fixture.overrides().take().orElseThrow().override().orElseThrow();
        assertThat(override.effect()).isEqualTo("drain");
        assertThat(override.reason()).isEqualTo("a b");
        assertThat(override.source()).as("the authenticated name").isEqualTo("ci");
    }

    @Test
    void anOperatorIsNamedBesideAnotherSource() throws Exception {
        send("PUT", BACKEND + "?state=up&source=lag", TestUsers.OPERATOR_TOKEN, "");
        assertThat(fixture.overrides()
                        .take()
                        .orElseThrow()
                        .override()
                        .orElseThrow()
                        .reason())
                .isEqualTo("(set by ci)");

        send("PUT", BACKEND + "?state=up&source=lag&reason=" + "y".repeat(200), TestUsers.OPERATOR_TOKEN, "");
        assertThat(fixture.overrides()
                        .take()
                        .orElseThrow()
                        .override()
                        .orElseThrow()
                        .reason())
                .hasSize(200)
                .endsWith("y (set by ci)");
    }

    @Test
    void anOverrideIsRemoved() throws Exception {
        assertThat(send("DELETE", BACKEND, TestUsers.OVERRIDE_TOKEN, "").statusCode())
                .isEqualTo(200);
        assertThat(fixture.overrides().take()).contains(new Call(KEY, Optional.empty(), false, "lag-check"));

        assertThat(send("DELETE", BACKEND + "?source=other", TestUsers.OPERATOR_TOKEN, "")
                        .statusCode())
                .isEqualTo(200);
        assertThat(fixture.overrides().take().orElseThrow().key().source()).isEqualTo("other");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"reason\": \"nothing\"}",
                "{\"state\": \"maintenance\"}",
                "{\"state\": \"DOWN\"}",
                "{\"weight\": -1}",
                "{\"weight\": 1001}",
                "{\"weight\": 1.5}",
                "{\"state\": \"up\", \"expires\": \"0s\"}",
                "{\"state\": \"up\", \"expires\": \"-5m\"}",
                "{\"state\": \"up\", \"expires\": \"24h1s\"}",
                "{\"state\": \"up\", \"expires\": \"5\"}",
                "{\"state\": \"up\", \"expires\": \"2001-01-01T00:00:00Z\"}",
                "{\"state\": \"up\", \"expires\": \"9999-01-01T00:00:00Z\"}",
                "{\"state\": \"up\", \"expires\": \"2026-13-01T00:00:00Z\"}",
                "{\"state\": \"up\", \"expire\": \"5m\"}",
                "{\"state\": \"up\", \"confirm\": \"yes\"}",
                "{\"state\": \"up\", \"reason\": \"a\\nb\"}",
                "{\"state\": \"up\", \"source\": \"\"}",
                "{\"state\": [\"up\"]}",
                "[]",
                "{\"state\": \"up\", \"state\": \"down\"}"
            })
    void invalidRequestsAreRejected(String body) throws Exception {
        HttpResponse<String> response = send("PUT", BACKEND, TestUsers.OPERATOR_TOKEN, body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(fixture.overrides().take()).isEmpty();
    }

    @Test
    void textsAreBounded() throws Exception {
        assertThat(put("{\"state\": \"up\", \"reason\": \"" + "y".repeat(201) + "\"}")
                        .body())
                .contains("reason: 201 characters (expected: at most 200)");
        assertThat(send("PUT", BACKEND + "?state=up&source=" + "s".repeat(65), TestUsers.OPERATOR_TOKEN, "")
                        .body())
                .contains("source: 65 characters (expected: at most 64)");
        assertThat(fixture.overrides().take()).isEmpty();
    }

    @Test
    void aPendingChangeIsAccepted() throws Exception {
        fixture.overrides().answer(Outcome.PENDING);
        assertThat(put("{\"state\": \"down\"}").statusCode()).isEqualTo(202);
    }

    @Test
    void aRejectedChangeIsAConflictWithItsReason() throws Exception {
        fixture.overrides().fail(new RejectedChangeException("the cluster rejected this change: too late"));
        HttpResponse<String> response = put("{\"state\": \"down\"}");
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("the cluster rejected this change: too late");
    }

    @ParameterizedTest
    @CsvSource({
        "NO_SUCH_POOL, 404, there is no pool web",
        "NO_SUCH_BACKEND, 404, pool web has no backend",
        "NO_SUCH_OVERRIDE, 404, by lag",
        "LAST_USABLE, 409, confirm=true",
        "TOO_MANY_SOURCES, 409, 16 sources",
        "TOO_MANY, 409, 10000 overrides"
    })
    void refusalsAreProblemDocuments(Outcome outcome, int status, String detail) throws Exception {
        fixture.overrides().answer(outcome);

        HttpResponse<String> response = put("{\"state\": \"down\"}");

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(response.body()).contains(detail);
    }

    // ---- the scope of a token

    @ParameterizedTest
    @CsvSource({
        "PUT, /api/v1/overrides/api/127.0.0.1:9001?state=down, pool: api (expected: web",
        "PUT, /api/v1/overrides/none/127.0.0.1:9001?state=down, pool: none (expected: web",
        "PUT, /api/v1/overrides/web/127.0.0.1:9001?state=down&source=other, source: other (expected: lag",
        "DELETE, /api/v1/overrides/api/127.0.0.1:9001, pool: api (expected: web",
        "DELETE, /api/v1/overrides/web/127.0.0.1:9001?source=other, source: other (expected: lag",
        "GET, /api/v1/overrides/api/127.0.0.1:9001, pool: api (expected: web",
        "POST, /api/v1/pools/web/backends/127.0.0.1:9001/drain, requires the role operator",
        "POST, /api/v1/reload, requires the role operator",
        "GET, /api/v1/pools, requires the role viewer",
        "GET, /stats, requires the role viewer",
        "GET, /metrics, requires the role viewer",
        "GET, /api/v1/events, requires the role viewer",
        "GET, /api/v1/stream, requires the role viewer",
        "GET, /api/v1/backends/web/127.0.0.1:9001/explain, requires the role viewer",
    })
    void aTokenDoesNothingOutsideItsScope(String method, String path, String detail) throws Exception {
        HttpResponse<String> response = send(method, path, TestUsers.OVERRIDE_TOKEN, "");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(response.body()).contains(detail);
        assertThat(fixture.overrides().take()).isEmpty();
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void aViewerReadsButDoesNotOverride() throws Exception {
        assertThat(send("PUT", BACKEND + "?state=down", TestUsers.VIEWER_TOKEN, "")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("DELETE", BACKEND, TestUsers.VIEWER_TOKEN, "").statusCode())
                .isEqualTo(403);
        assertThat(send("GET", BACKEND, TestUsers.VIEWER_TOKEN, "").statusCode())
                .isEqualTo(200);
        assertThat(fixture.get(BACKEND).statusCode()).isEqualTo(401);
    }

    @Test
    void aTokenSeesOnlyItsOverrides() throws Exception {
        ExternalOverride own = override("web", "127.0.0.1:9001", "lag", State.UP);
        ExternalOverride other = override("web", "127.0.0.1:9001", "other", State.DOWN);
        fixture.backend(0).externalOverrides(ExternalOverrideSet.EMPTY.with(own).with(other));
        fixture.overrides().all(List.of(own, other, override("api", "127.0.0.1:9001", "lag", State.UP)));

        assertThat(sources("/api/v1/overrides", TestUsers.OVERRIDE_TOKEN)).containsExactly("lag");
        assertThat(sources(BACKEND, TestUsers.OVERRIDE_TOKEN)).containsExactly("lag");
        assertThat(sources("/api/v1/overrides", TestUsers.VIEWER_TOKEN)).containsExactly("lag", "other", "lag");
        assertThat(sources(BACKEND, TestUsers.VIEWER_TOKEN)).containsExactly("lag", "other");
        assertThat(sources("/api/v1/overrides?pool=api", TestUsers.VIEWER_TOKEN))
                .hasSize(1);
        assertThat(sources("/api/v1/overrides?source=other", TestUsers.VIEWER_TOKEN))
                .hasSize(1);
        assertThat(sources("/api/v1/overrides?limit=1&offset=1", TestUsers.VIEWER_TOKEN))
                .containsExactly("other");
    }

    @Test
    void aListedOverrideHasItsRemainingTimeAndWhetherItDecides() throws Exception {
        ExternalOverride up = override("web", "127.0.0.1:9001", "lag", State.UP);
        ExternalOverride down = override("web", "127.0.0.1:9001", "other", State.DOWN);
        fixture.backend(0).externalOverrides(ExternalOverrideSet.EMPTY.with(up).with(down));
        fixture.overrides().all(List.of(up, down));

        JsonTree all = JsonTree.of(
                send("GET", "/api/v1/overrides", TestUsers.VIEWER_TOKEN, "").body());

        assertThat(all.at("total").number()).isEqualTo(2);
        JsonTree first = all.at("overrides").items().get(0);
        assertThat(first.names())
                .containsExactly(
                        "pool",
                        "backend",
                        "source",
                        "state",
                        "weight",
                        "reason",
                        "since",
                        "renewed",
                        "expires",
                        "remaining_seconds",
                        "decides_state",
                        "decides_weight");
        assertThat(first.at("remaining_seconds").number()).isBetween(1.0, 600.0);
        assertThat(first.at("decides_state").flag()).isFalse();
        assertThat(all.at("overrides").items().get(1).at("decides_state").flag())
                .isTrue();
        JsonTree backend =
                JsonTree.of(send("GET", "/api/v1/pools/web/backends/127.0.0.1:9001", TestUsers.VIEWER_TOKEN, "")
                        .body());
        assertThat(backend.at("overrides").items()).hasSize(2);
    }

    @Test
    void missingBackendsAreNotFound() throws Exception {
        assertThat(send("GET", "/api/v1/overrides/api/127.0.0.1:9001", TestUsers.VIEWER_TOKEN, "")
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/api/v1/overrides/web/127.0.0.1:1", TestUsers.VIEWER_TOKEN, "")
                        .statusCode())
                .isEqualTo(404);
    }

    private static ExternalOverride override(String pool, String address, String source, State state) {
        Instant now = Instant.now();
        return new ExternalOverride(
                pool,
                address,
                source,
                Optional.of(state),
                OptionalInt.empty(),
                "",
                now,
                now,
                now.plus(Duration.ofMinutes(10)));
    }

    private List<String> sources(String path, String token) throws Exception {
        return JsonTree.of(send("GET", path, token, "").body()).at("overrides").items().stream()
                .map(each -> each.at("source").text())
                .toList();
    }

    private HttpResponse<String> put(String body) throws Exception {
        return send("PUT", BACKEND, TestUsers.OVERRIDE_TOKEN, body);
    }

    private HttpResponse<String> send(String method, String path, String token, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(fixture.uri(path))
                .header("Authorization", "Bearer " + token)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return fixture.client().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
