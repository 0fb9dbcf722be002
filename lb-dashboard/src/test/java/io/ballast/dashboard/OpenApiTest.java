package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import io.ballast.dashboard.testing.TestUsers;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The OpenAPI description matches the API. */
class OpenApiTest {

    private static final String PATH = "/api/v1/openapi.json";

    @AutoClose
    private final DashboardFixture fixture;

    OpenApiTest() throws IOException {
        fixture = DashboardFixture.withUsers();
    }

    @Test
    void theDescriptionHasExactlyTheRoutesAndTheirRoles() throws Exception {
        JsonTree paths = document().at("paths");
        List<String> described = new ArrayList<>();
        for (String path : paths.names()) {
            for (String method : paths.at(path).names()) {
                if (!method.equals("parameters")) {
                    String role = paths.at(path).at(method).at("x-role").text();
                    described.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path + " " + role);
                }
            }
        }

        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(fixture.dashboard().routes().stream()
                        .filter(OpenApiTest::isForPrograms)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"/api/v1/dns/history, hours", "/api/v1/dns/queries, limit"})
    void numbersBeyondTheDescribedBoundsAreRejected(String path, String name) throws Exception {
        JsonTree schema = document().at("paths").at(path).at("get").at("parameters").items().stream()
                .filter(each -> each.at("name").text().equals(name))
                .findFirst()
                .orElseThrow()
                .at("schema");
        long least = (long) schema.at("minimum").number();
        long most = (long) schema.at("maximum").number();
        String asked = path + "?" + name + "=";

        try (DashboardFixture open = new DashboardFixture(1)) {
            assertThat(open.get(asked + (least - 1)).statusCode()).isEqualTo(400);
            assertThat(open.get(asked + least).statusCode()).isEqualTo(200);
            assertThat(open.get(asked + most).statusCode()).isEqualTo(200);
            assertThat(open.get(asked + (most + 1)).statusCode()).isEqualTo(400);
        }
    }

    private static boolean isForPrograms(String route) {
        String path = route.split(" ")[1];
        return path.startsWith("/api/")
                || List.of("/stats", "/healthz", "/readyz", "/metrics").contains(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stats",
                "/api/v1/stats",
                "/api/v1/pools",
                "/api/v1/pools/{pool}",
                "/api/v1/pools/{pool}/backends/{backend}",
                "/api/v1/backends",
                "/api/v1/routes",
                "/api/v1/dns/zones",
                "/api/v1/dns/queries",
                "/api/v1/dns/history",
                "/api/v1/dns/lists",
                "/api/v1/dns/upstreams",
                "/api/v1/events",
                "/api/v1/health",
                "/api/v1/session"
            })
    void responsesHaveTheDescribedFields(String path) throws Exception {
        JsonTree document = document();
        String reference = document.at("paths")
                .at(path)
                .at("get")
                .at("responses")
                .at("200")
                .at("content")
                .at("application/json")
                .at("schema")
                .at("$ref")
                .text();
        JsonTree schema =
                document.at("components").at("schemas").at(reference.substring(reference.lastIndexOf('/') + 1));

        HttpResponse<String> answer = get(path.replace("{pool}", "web").replace("{backend}", "127.0.0.1:9001"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        List<String> required =
                schema.at("required").items().stream().map(JsonTree::text).toList();
        assertThat(required).isNotEmpty();
        assertThat(JsonTree.of(answer.body()).names()).containsAll(required);
    }

    @Test
    void everyCommandDescribesThe415Response() throws Exception {
        JsonTree paths = document().at("paths");
        List<String> commands = new ArrayList<>();
        for (String path : paths.names()) {
            for (String method : paths.at(path).names()) {
                if (List.of("post", "put", "delete").contains(method)) {
                    String command = method.toUpperCase(java.util.Locale.ROOT) + " " + path;
                    commands.add(command);
                    assertThat(fixture.send(
                                            method.toUpperCase(java.util.Locale.ROOT),
                                            path.replace("{pool}", "web").replace("{backend}", "127.0.0.1:9001"),
                                            "Authorization",
                                            "Bearer " + TestUsers.OPERATOR_TOKEN,
                                            "Content-Type",
                                            "text/plain")
                                    .statusCode())
                            .as(command)
                            .isEqualTo(415);
                    assertThat(paths.at(path).at(method).at("responses").names())
                            .as(command)
                            .contains("415");
                }
            }
        }
        assertThat(commands).hasSizeGreaterThan(10);
    }

    @Test
    void everyReferenceResolves() throws Exception {
        String text = get(PATH).body();
        JsonTree components = JsonTree.of(text).at("components");

        List<String> references = java.util.regex.Pattern.compile(
                        "\"#/components/([a-z]+)/([A-Za-z]+)\"", java.util.regex.Pattern.CASE_INSENSITIVE)
                .matcher(text)
                .results()
                .map(match -> match.group(1) + " " + match.group(2))
                .distinct()
                .toList();

        assertThat(references).hasSizeGreaterThan(10).allSatisfy(reference -> {
            String[] parts = reference.split(" ");
            assertThat(components.at(parts[0]).names()).contains(parts[1]);
        });
    }

    private JsonTree document() throws Exception {
        HttpResponse<String> response = get(PATH);
        assertThat(response.statusCode()).isEqualTo(200);
        return JsonTree.of(response.body());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return fixture.get(path, "Authorization", "Bearer " + TestUsers.VIEWER_TOKEN);
    }
}
