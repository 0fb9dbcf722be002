package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Order;
import io.ballast.core.backend.Order.Kind;
import io.ballast.core.config.DashboardConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.health.Operator.Outcome;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeOperator.Asked;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
    void ordersAreGivenWithWhoWhyAndUntil(Kind kind) throws Exception {
        Instant before = Instant.now();

        HttpResponse<String> response =
                post("/" + kind.label() + "?who=ann&why=new%20kernel&until=10m&confirm=true", "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JsonTree.of(response.body()).at("addr").text()).isEqualTo("127.0.0.1:9001");
        Asked asked = fixture.operator().take().orElseThrow();
        Order order = asked.order().orElseThrow();
        assertThat(asked).isEqualTo(new Asked("web", "127.0.0.1:9001", Optional.of(order), true, ""));
        assertThat(order.kind()).isEqualTo(kind);
        assertThat(order.text()).startsWith("ann: new kernel, until ");
        assertThat(order.until()).hasValue(order.since().plus(Duration.ofMinutes(10)));
        assertThat(order.since()).isAfterOrEqualTo(before);
    }

    @Test
    void aBodyDoesAsWellAndNothingIsNeeded() throws Exception {
        assertThat(post("/drain", "{\"who\": \"ann\", \"confirm\": true}").statusCode())
                .isEqualTo(200);
        assertThat(fixture.operator().take().orElseThrow().confirmed()).isTrue();

        assertThat(post("/drain", "").statusCode()).isEqualTo(200);
        Asked plain = fixture.operator().take().orElseThrow();
        assertThat(plain.confirmed()).isFalse();
        assertThat(plain.order().orElseThrow().text()).isEqualTo("api");
    }

    @Test
    void enablingSaysWhoAndWhy() throws Exception {
        assertThat(post("/enable", "{\"who\": \"ann\", \"why\": \"done\"}").statusCode())
                .isEqualTo(200);

        assertThat(fixture.operator().take().orElseThrow().end()).isEqualTo("ann: done");
    }

    @Test
    void theAnswerTellsOfTheOrder() throws Exception {
        assertThat(JsonTree.of(fixture.get(BACKEND).body()).at("order").isNull())
                .isTrue();
        fixture.backend(0).order(Optional.of(new Order(Kind.DRAIN, "ann", "disk", Instant.EPOCH, Optional.empty())));

        JsonTree order = JsonTree.of(post("/drain", "").body()).at("order");

        assertThat(order.names()).containsExactly("is", "who", "why", "since", "until");
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
    void whatCannotBeDoneIsAProblem(Outcome outcome, int status, String detail) throws Exception {
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
    void whatIsMisspeltOrWouldNotShowIsNoOrder(String query) throws Exception {
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
    void bodiesThatAreSomethingElseAreRefused(String body) throws Exception {
        assertThat(post("/drain", body).statusCode()).isEqualTo(400);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void textsAreBoundedAndSaidOnce() throws Exception {
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
    void pagesFromElsewhereAreRefused(String header, String value, int status) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri(BACKEND + "/drain"))
                .POST(BodyPublishers.noBody())
                .header(header, value)
                .build();

        assertThat(fixture.client().send(request, BodyHandlers.ofString()).statusCode())
                .isEqualTo(status);
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void onlyPostDoesIt() throws Exception {
        HttpResponse<String> response = fixture.get(BACKEND + "/drain");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).hasValue("POST");
        assertThat(fixture.operator().take()).isEmpty();
    }

    @Test
    void defectsAreAnswered() throws Exception {
        fixture.operator().fail();

        assertThat(post("/drain", "").statusCode()).isEqualTo(500);
    }

    @Test
    void whereNothingTakesOrdersItIsNotImplemented() throws Exception {
        DashboardSources sources =
                DashboardSources.of(() -> DashboardFixture.topology(Map.of("web", 1)), fixture.control(), "1");
        DashboardConfig config = new DashboardConfig(true, new HostPort("127.0.0.1", 0));
        try (Dashboard plain = Dashboard.start(config, sources)) {
            URI uri = URI.create("http://127.0.0.1:" + plain.address().getPort() + BACKEND + "/drain");
            HttpRequest request =
                    HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build();

            assertThat(fixture.client().send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(501);
        }
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(fixture.uri(BACKEND + path))
                .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return fixture.client().send(request.build(), BodyHandlers.ofString());
    }
}
