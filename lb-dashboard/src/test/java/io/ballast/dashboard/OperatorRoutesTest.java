package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.StateOverride.Kind;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator.Outcome;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeOperator.OverrideCall;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorRoutesTest {

    private static final String BACKEND = "/api/v1/pools/web/backends/127.0.0.1%3A9001";

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource
    void overridesHaveWhoWhyAndUntil(Kind kind) throws Exception {
        Instant before = Instant.now();

        HttpResponse<String> response =
                post("/" + kind.label() + "?who=ann&why=new%20kernel&until=10m&confirm=true", "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JsonTree.of(response.body()).at("addr").text()).isEqualTo("127.0.0.1:9001");
        OverrideCall call = fixture.operator().take().orElseThrow();
        StateOverride order = call.order().orElseThrow();
        assertThat(call).isEqualTo(new OverrideCall("web", "127.0.0.1:9001", Optional.of(order), true, ""));
        assertThat(order.kind()).isEqualTo(kind);
        assertThat(order.text()).startsWith("ann: new kernel, until ");
        assertThat(order.until()).hasValue(order.since().plus(Duration.ofMinutes(10)));
        assertThat(order.since()).isAfterOrEqualTo(before);
    }

    @Test
    void parametersMayBeInTheBodyAndAreOptional() throws Exception {
        assertThat(post("/drain", "{\"who\": \"ann\", \"confirm\": true}").statusCode())
                .isEqualTo(200);
        assertThat(fixture.operator().take().orElseThrow().confirmed()).isTrue();

        assertThat(post("/drain", "").statusCode()).isEqualTo(200);
        OverrideCall plain = fixture.operator().take().orElseThrow();
        assertThat(plain.confirmed()).isFalse();
        assertThat(plain.order().orElseThrow().text()).isEqualTo("api");
    }

    @Test
    void onlyDrainsAcceptADeadline() throws Exception {
        assertThat(post("/drain?deadline=5m", "").statusCode()).isEqualTo(200);
        StateOverride order = fixture.operator().take().orElseThrow().order().orElseThrow();
        assertThat(order.deadline()).hasValue(order.since().plus(Duration.ofMinutes(5)));
        assertThat(order.until()).isEmpty();

        assertThat(post("/drain?deadline=0s", "").body()).contains("deadline: 0s");
        assertThat(post("/down?deadline=5m", "").statusCode()).isEqualTo(400);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void enablingRecordsWhoAndWhy() throws Exception {
        assertThat(post("/enable", "{\"who\": \"ann\", \"why\": \"done\"}").statusCode())
                .isEqualTo(200);

        assertThat(fixture.operator().take().orElseThrow().end()).isEqualTo("ann: done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"weight\": 5, \"who\": \"ann\"}", "{\"weight\": \"5\", \"who\": \"ann\"}"})
    void weightsAreOverridden(String body) throws Exception {
        assertThat(post("/weight?why=disk&until=10m", body).statusCode()).isEqualTo(200);

        WeightOverride order = fixture.operator().takeWeight().orElseThrow();
        assertThat(order.weight()).isEqualTo(5);
        assertThat(order.text()).startsWith("weight 5 by ann: disk, until ");
    }

    @Test
    void theConfiguredWeightIsRestored() throws Exception {
        assertThat(post("/weight?weight=file&who=ann", "").statusCode()).isEqualTo(200);

        assertThat(fixture.operator().take().orElseThrow().end()).isEqualTo("weight: ann");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?weight=",
                "?weight=-1",
                "?weight=1001",
                "?weight=1.5",
                "?weight=99999999999",
                "?weight=none"
            })
    void invalidWeightsChangeNothing(String query) throws Exception {
        assertThat(post("/weight" + query, "").body()).contains("weight: ");
        assertThat(post("/drain?weight=5", "").statusCode()).isEqualTo(400);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void theResponseHasTheWeightAndTheConfiguredWeight() throws Exception {
        OverrideTerms terms = new OverrideTerms("ann", "disk", Instant.EPOCH, Optional.empty());
        fixture.backend(0).weightOverride(Optional.of(new WeightOverride(5, terms)));

        JsonTree json = JsonTree.of(fixture.get(BACKEND).body());

        assertThat(json.at("weight").number()).isEqualTo(5);
        assertThat(json.at("file_weight").number()).isEqualTo(1);
        assertThat(json.at("weight_order").names()).containsExactly("weight", "who", "why", "since", "until");
    }

    @Test
    void wholePoolsEnterAndLeaveMaintenance() throws Exception {
        String pool = "/api/v1/pools/web";
        HttpResponse<String> on = fixture.post(pool + "/maintenance?who=ann&why=move&until=1h", "")
                .get();
        assertThat(on.statusCode()).isEqualTo(200);
        assertThat(JsonTree.of(on.body()).at("name").text()).isEqualTo("web");
        assertThat(fixture.operator().take().orElseThrow().end()).startsWith("maintenance: ann: move, until ");

        fixture.post(pool + "/serve?who=bob", "").get();
        assertThat(fixture.operator().take().orElseThrow())
                .isEqualTo(new OverrideCall("web", "", Optional.empty(), false, "serve: bob"));

        assertThat(fixture.post(pool + "/maintenance?weight=5", "").get().statusCode())
                .isEqualTo(400);
        assertThat(fixture.operator().take()).isEmpty();
        fixture.topology()
                .pool("web")
                .maintenance(Optional.of(new OverrideTerms("ann", "move", Instant.EPOCH, Optional.empty())));
        assertThat(JsonTree.of(fixture.get(pool).body()).at("maintenance").names())
                .containsExactly("who", "why", "since", "until");
    }

    @Test
    void theResponseHasTheOverride() throws Exception {
        assertThat(JsonTree.of(fixture.get(BACKEND).body()).at("order").isNull())
                .isTrue();
        fixture.backend(0)
                .stateOverride(
                        Optional.of(new StateOverride(Kind.DRAIN, "ann", "disk", Instant.EPOCH, Optional.empty())));

        JsonTree order = JsonTree.of(post("/drain", "").body()).at("order");

        assertThat(order.names()).containsExactly("is", "who", "why", "since", "until", "deadline");
        assertThat(order.at("is").text()).isEqualTo("drain");
        assertThat(order.at("who").text()).isEqualTo("ann");
        assertThat(order.at("until").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "NO_SUCH_POOL, 404, there is no pool web",
        "NO_SUCH_BACKEND, 404, pool web has no backend",
        "LAST_USABLE, 409, confirm=true"
    })
    void failuresAreProblemDocuments(Outcome outcome, int status, String detail) throws Exception {
        fixture.operator().answer(outcome);

        HttpResponse<String> response = post("/drain", "");

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(response.body()).contains(detail);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?untill=10m",
                "?until=10",
                "?until=0s",
                "?until=366d",
                "?confirm=yes",
                "?who=",
                "?who=a&who=b",
                "?who=a%0Ab",
                "?why=%1B%5B31m",
                "?why=%E2%80%AE",
            })
    void unknownOrInvalidParametersAreRejected(String query) throws Exception {
        assertThat(post("/drain" + query, "").statusCode()).isEqualTo(400);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{\"who\": 1}",
                "{\"who\": \"a\", \"who\": \"b\"}",
                "{\"who\": \"a\"",
                "{} {}",
                "{\"who\": {}}"
            })
    void malformedBodiesAreRejected(String body) throws Exception {
        assertThat(post("/drain", body).statusCode()).isEqualTo(400);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void textsAreBoundedAndMayNotBeRepeated() throws Exception {
        assertThat(post("/drain?why=" + "y".repeat(201), "").body()).contains("201 characters");
        assertThat(post("/drain?who=ann", "{\"who\": \"bob\"}").statusCode()).isEqualTo(400);
        assertThat(post("/enable?until=10m", "").statusCode()).isEqualTo(400);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://evil.example, 403",
        "Sec-Fetch-Site, same-site, 403",
        "Content-Type, text/plain, 415",
        "Content-Type, application/x-www-form-urlencoded, 415",
    })
    void requestsOfOtherOriginsAreRejected(String header, String value, int status) throws Exception {
        HttpResponse<String> response =
                fixture.post(BACKEND + "/drain", "", header, value).get();

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void onlyPostIsAllowed() throws Exception {
        HttpResponse<String> response = fixture.get(BACKEND + "/drain");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).hasValue("POST");
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void defectsGetA500() throws Exception {
        fixture.operator().fail();

        assertThat(post("/drain", "").statusCode()).isEqualTo(500);
    }

    @Test
    void overridesWithoutAnOperatorGetA501() throws Exception {
        assertThat(fixture.statusWithoutSources(BACKEND + "/drain")).isEqualTo(501);
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        String[] headers = body.isEmpty() ? new String[0] : new String[] {"Content-Type", "application/json"};
        return fixture.post(BACKEND + path, body, headers).get();
    }
}
