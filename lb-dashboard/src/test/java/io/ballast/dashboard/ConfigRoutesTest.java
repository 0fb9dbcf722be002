package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeDns;
import io.ballast.dashboard.testing.JsonTree;
import io.ballast.dashboard.testing.TestUsers;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigRoutesTest {

    private static final String CONFIG = "/api/v1/config";

    @AutoClose
    private final DashboardFixture fixture;

    ConfigRoutesTest() throws IOException {
        fixture = DashboardFixture.withUsers();
    }

    @Test
    void theConfigurationIsServedAsJson() throws Exception {
        HttpResponse<String> answer = get(CONFIG);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(JsonTree.of(answer.body()).at("event_loops").number()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "?format=yaml, */*, text/yaml; charset=utf-8",
        "'', application/yaml, text/yaml; charset=utf-8",
        "'', text/yaml, text/yaml; charset=utf-8",
        "'', 'application/json, text/yaml', application/json",
        "?format=json, text/yaml, application/json",
    })
    void theClientSelectsTheFormat(String query, String accept, String type) throws Exception {
        HttpResponse<String> answer = get(CONFIG + query, "Accept", accept);

        assertThat(answer.headers().firstValue("content-type")).hasValue(type);
        assertThat(answer.body().startsWith("event_loops: 2")).isEqualTo(type.startsWith("text/yaml"));
    }

    @Test
    void unknownFormatsAreRejected() throws Exception {
        assertThat(get(CONFIG + "?format=xml").statusCode()).isEqualTo(400);
    }

    @Test
    void routesAreListedInOrderWithTheirConditions() throws Exception {
        JsonTree listener =
                JsonTree.of(get("/api/v1/routes").body()).at("listeners").at(0);

        assertThat(listener.at("name").text()).isEqualTo("front");
        List<JsonTree> routes = listener.at("routes").items();
        assertThat(routes).extracting(route -> route.at("order").number()).containsExactly(1.0, 2.0, 3.0);
        assertThat(texts(routes.get(0).at("conditions")))
                .containsExactlyInAnyOrder(
                        "host a.example or b.example",
                        "path = /in",
                        "method GET",
                        "header x-debug absent",
                        "query v = 2*");
        assertThat(routes.get(0).at("action").text()).isEqualTo("split web 95, old 5");
        assertThat(texts(routes.get(0).at("pools"))).containsExactly("web", "old");
        assertThat(routes.get(0).at("rewrite").text()).isEqualTo("strip /api");
        assertThat(routes.get(1).at("action").text()).isEqualTo("redirect 308 to https://elsewhere.example/");
        assertThat(routes.get(1).at("pools").items()).isEmpty();
        assertThat(routes.get(2).at("conditions").items()).isEmpty();
        assertThat(routes.get(2).at("action").text()).isEqualTo("pool web");
    }

    @Test
    void zonesHaveTheirFile() throws Exception {
        List<JsonTree> zones =
                JsonTree.of(get("/api/v1/dns/zones").body()).at("zones").items();

        assertThat(zones).extracting(zone -> zone.at("name").text()).containsExactly("a.example", "b.example");
        assertThat(zones).extracting(zone -> zone.at("services").number()).containsExactly(1.0, 0.0);
        assertThat(zones).extracting(zone -> zone.at("signed").flag()).containsExactly(true, false);
        assertThat(zones.get(0).at("file").isNull()).isTrue();
        assertThat(zones.get(1).at("file").text()).isEqualTo("b.zone");
    }

    @Test
    void zonesHaveTheirQueryCounts() throws Exception {
        fixture.dns(Optional.of(new FakeDns()));

        List<JsonTree> zones =
                JsonTree.of(get("/api/v1/dns/zones").body()).at("zones").items();

        assertThat(zones.get(0).at("queries").at("noerror").number()).isEqualTo(8.0);
        assertThat(zones.get(1).at("queries").names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONFIG, "/api/v1/routes", "/api/v1/backends"})
    void theConfigurationRequiresAuthentication(String path) throws Exception {
        HttpResponse<String> answer = fixture.get(path);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).doesNotContain("event_loops").doesNotContain("127.0.0.1");
    }

    private static List<String> texts(JsonTree list) {
        return list.items().stream().map(JsonTree::text).toList();
    }

    /** Sends a GET request with the viewer's token. */
    private HttpResponse<String> get(String path, String... headers) throws Exception {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Authorization";
        all[headers.length + 1] = "Bearer " + TestUsers.VIEWER_TOKEN;
        return fixture.get(path, all);
    }
}
