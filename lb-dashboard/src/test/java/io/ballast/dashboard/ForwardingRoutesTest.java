package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.source.LiveQueries;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.EventStream;
import io.ballast.dashboard.testing.FakeForwarding;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingRoutesTest {

    private final FakeForwarding forwarding = new FakeForwarding();
    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(2);
        fixture.forwarding(Optional.of(forwarding));
        forwarding.queries(List.of(
                FakeForwarding.query("www.example.com", "AAAA", "192.0.2.7", "blocked"),
                FakeForwarding.query("www.example.com", "A", "192.0.2.7", "hit"),
                FakeForwarding.query("example.org", "A", "2001:db8::1", "miss")));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @CsvSource({
        "'', 3",
        "name=WWW, 2",
        "name=example, 3",
        "type=aaaa, 1",
        "client=192.0.2., 2",
        "client=2.0, 0",
        "outcome=miss, 1",
        "outcome=HIT&name=www, 1",
        "outcome=hit&type=AAAA, 0",
        "limit=2, 2"
    })
    void queriesMatchTheSearch(String search, int expected) throws Exception {
        JsonTree answer = get("/api/v1/dns/queries?" + search);

        assertThat(answer.at("queries").items()).hasSize(expected);
        assertThat(answer.at("memory").number()).isEqualTo(1000);
        assertThat(answer.at("dropped").number()).isEqualTo(7);
    }

    @Test
    void queriesHaveAllFields() throws Exception {
        JsonTree query = get("/api/v1/dns/queries?limit=1").at("queries").at(0);

        assertThat(query.at("time").number()).isEqualTo(1_700_000_000_000L);
        assertThat(query.at("client").text()).isEqualTo("192.0.2.7");
        assertThat(query.at("name").text()).isEqualTo("www.example.com");
        assertThat(query.at("outcome").text()).isEqualTo("blocked");
        assertThat(query.at("by").text()).isEqualTo("192.0.2.53:53");
        assertThat(query.at("ms").number()).isEqualTo(0.25);
        assertThat(query.at("bytes").number()).isEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/dns/queries?limit=0",
                "/api/v1/dns/queries?limit=1001",
                "/api/v1/dns/queries?limit=many",
                "/api/v1/dns/history?hours=25",
                "/api/v1/dns/history?hours=0"
            })
    void numbersOutOfBoundsAreRejected(String path) throws Exception {
        HttpResponse<String> answer = fixture.get(path);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JsonTree.of(answer.body()).at("detail").text()).contains("expected");
    }

    @Test
    void historyCoversTheRequestedHoursOrADayByDefault() throws Exception {
        assertThat(get("/api/v1/dns/history").at("since").number()).isEqualTo(1_700_000_000_000L - 24);
        JsonTree hour = get("/api/v1/dns/history?hours=1");

        assertThat(hour.at("since").number()).isEqualTo(1_700_000_000_000L - 1);
        assertThat(hour.at("hit_share").isNull()).isTrue();
    }

    @Test
    void upstreamsAreTheBackendsOfExistingPools() throws Exception {
        fixture.traffic(0, 40, 8);

        List<JsonTree> upstreams = get("/api/v1/dns/upstreams").at("upstreams").items();

        assertThat(upstreams).hasSize(2);
        assertThat(upstreams.get(0).at("pool").text()).isEqualTo("web");
        assertThat(upstreams.get(0).at("addr").text()).isEqualTo("127.0.0.1:9001");
        assertThat(upstreams.get(1).at("mean_ms").isNull()).isTrue();
    }

    @Test
    void listsAreReturned() throws Exception {
        assertThat(get("/api/v1/dns/lists").at("lists").at(0).at("name").text()).isEqualTo("ads");
    }

    @Test
    void everyRouteReturns404WithoutAForwarder() throws Exception {
        fixture.forwarding(Optional.empty());

        for (String path : List.of("queries", "history", "lists", "upstreams")) {
            assertThat(fixture.get("/api/v1/dns/" + path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void ticksContainTheQueriesSinceThePreviousTick() throws Exception {
        forwarding.live(new LiveQueries(
                10_000,
                IntStream.range(0, 20)
                        .mapToObj(i -> FakeForwarding.query("name-" + i, "A", "", "hit"))
                        .toList()));

        try (EventStream stream = new EventStream(fixture)) {
            JsonTree queries = stream.next("tick").data().at("queries");

            assertThat(queries.at("seen").number()).isEqualTo(10_000);
            assertThat(queries.at("sample").items()).hasSize(20);
            assertThat(queries.at("sample").at(0).at("name").text()).isEqualTo("name-0");
        }
    }

    private JsonTree get(String path) throws Exception {
        HttpResponse<String> answer = fixture.get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonTree.of(answer.body());
    }
}
