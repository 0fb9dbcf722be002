package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ballast.core.backend.StateOverride;
import io.ballast.core.net.Cidr;
import io.ballast.dashboard.source.DnsFilterOverrides;
import io.ballast.dashboard.source.DnsServices;
import io.ballast.dashboard.source.FlushResult;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import io.ballast.dashboard.testing.TestUsers;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the OpenAPI description matches the API. */
class OpenApiTest {

    private static final BigDecimal MAX_EXACT = BigDecimal.valueOf(1L << 53);
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

    @Test
    void queryParametersHaveBoundsThatTheApiEnforces() throws Exception {
        List<String> checked = new ArrayList<>();
        JsonTree paths = document().at("paths");
        try (DashboardFixture open = new DashboardFixture(1)) {
            open.dnsServices(Optional.of(new AnyServices()));
            for (String path : paths.names()) {
                for (String method : paths.at(path).names()) {
                    if (!method.equals("parameters")
                            && paths.at(path).at(method).names().contains("parameters")) {
                        for (JsonTree parameter :
                                paths.at(path).at(method).at("parameters").items()) {
                            checkBounds(open, method.toUpperCase(Locale.ROOT), path, parameter);
                            checked.add(path + " " + parameter.at("name").text());
                        }
                    }
                }
            }
        }
        assertThat(checked).hasSizeGreaterThan(30);
    }

    private static void checkBounds(DashboardFixture open, String method, String path, JsonTree parameter)
            throws Exception {
        String name = parameter.at("name").text();
        JsonTree schema = parameter.at("schema");
        List<String> bounds = schema.names();
        String query = path + "?" + name + "=";
        if (bounds.contains("minimum")) {
            long min = (long) schema.at("minimum").number();
            assertThat(status(open, method, query + (min - 1)))
                    .as(query + " below")
                    .isEqualTo(400);
            assertThat(status(open, method, query + min)).as(query + " least").isEqualTo(200);
            BigDecimal max = BigDecimal.valueOf(schema.at("maximum").number());
            if (max.compareTo(MAX_EXACT) <= 0) { // this parser cannot represent larger values exactly
                assertThat(status(open, method, query + max.toBigInteger()))
                        .as(query + " most")
                        .isEqualTo(200);
            }
            assertThat(status(open, method, query + max.toBigInteger().add(BigInteger.ONE)))
                    .as(query + " above")
                    .isEqualTo(400);
        } else if (bounds.contains("maxLength")) {
            int max = (int) schema.at("maxLength").number();
            assertThat(status(open, method, query + "1".repeat(max + 1)))
                    .as(query + " too long")
                    .isEqualTo(400);
            if (bounds.contains("pattern") || bounds.contains("anyOf")) {
                assertThat(status(open, method, query + "%01"))
                        .as(query + " pattern")
                        .isEqualTo(400);
            }
        } else if (!name.equals("type")) { // the DNS frontend checks record types
            assertThat(bounds.contains("enum") || schema.at("type").text().equals("boolean"))
                    .as(query + " has a bound")
                    .isTrue();
            assertThat(status(open, method, query + "other"))
                    .as(query + " enum")
                    .isEqualTo(400);
        }
    }

    private static int status(DashboardFixture open, String method, String path) throws Exception {
        String target = path.contains("/explain?from=") ? path + "&name=app.example" : path;
        String concrete = target.replace("{pool}", "web")
                .replace("{backend}", "127.0.0.1:9001")
                .replace("{agent}", "app5")
                .replace("{token}", "rack1")
                .replace("{node}", "n9")
                .replace("{number}", "7")
                .replace("{sha256}", "ab".repeat(32));
        return open.send(method, concrete).statusCode();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/dns/explain?name=1-app.example.&from=2001:db8::1",
                "/api/v1/dns/explain?name=*.App_1.example&from=192.0.2.0/24",
                "/api/v1/dns/explain?name=1-app.example&from=192.0.2.7/24",
                "/api/v1/dns/explain?name=0/25.2.0.192.in-addr.arpa"
            })
    void usualNamesAndAddressesAreAcceptedAndDescribed(String target) throws Exception {
        String pattern = parameter("/api/v1/dns/explain", "name").at("pattern").text();

        try (DashboardFixture open = new DashboardFixture(1)) {
            open.dnsServices(Optional.of(new AnyServices()));
            assertThat(open.get(target).statusCode()).isEqualTo(200);
        }
        assertThat(target.replaceAll(".*name=([^&]*).*", "$1")).matches(pattern);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/dns/explain?name=b%C3%BCcher.example",
                "/api/v1/dns/explain?name=a%40b.example",
                "/api/v1/dns/explain?name=a%5C.b.example",
                "/api/v1/dns/history?hours=",
                "/api/v1/dns/secondary?limit=&offset="
            })
    void textsThatTheDescriptionRulesOutAreRejected(String target) throws Exception {
        try (DashboardFixture open = new DashboardFixture(1)) {
            open.dnsServices(Optional.of(new AnyServices()));
            assertThat(open.get(target).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void anUnknownNameIs404AndAConflictIs409() throws Exception {
        try (DashboardFixture open = new DashboardFixture(1)) {
            open.dnsServices(Optional.of(new AnyServices()));
            assertThat(open.get("/api/v1/dns/explain?name=unknown.example").statusCode())
                    .isEqualTo(404);
            assertThat(open.send("POST", "/api/v1/dns/filter/pause?group=unknown")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(open.send("POST", "/api/v1/dns/filter/accept?name=unknown")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(open.send("POST", "/api/v1/dns/filter/forget?name=unknown")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(open.send("POST", "/api/v1/dns/filter/resume?group=paused-with-all")
                            .statusCode())
                    .isEqualTo(409);
        }
    }

    @Test
    void anInvalidLoginIs400AlsoIfLoginIsNotConfigured() throws Exception {
        try (DashboardFixture open = new DashboardFixture(1)) {
            String login = "POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Connection: close\r\nContent-Length: ";

            assertThat(open.raw(login + "2\r\n\r\n{}")).startsWith("HTTP/1.1 400 ");
            assertThat(open.raw(login + "26\r\n\r\n{\"name\":\"a\",\"password\":\"\"}"))
                    .startsWith("HTTP/1.1 409 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"J\u00f6rg", "\u5f20\u4f1f", "ops \ud83d\ude80", "a b"})
    void authorsOfAnyScriptMatchTheirPattern(String who) throws Exception {
        String pattern = document()
                .at("components")
                .at("schemas")
                .at("Order")
                .at("properties")
                .at("who")
                .at("pattern")
                .text();

        assertThat(who).matches(pattern);
        StateOverride.checkTexts(who, /* why= */ "");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a\u0000", "a\u202eb", "a\u2028b", "\u200b", "a\udb40\udc41", "\u3000"})
    void authorsThatDoNotShowMatchNoPattern(String who) throws Exception {
        String pattern = document()
                .at("components")
                .at("schemas")
                .at("Order")
                .at("properties")
                .at("who")
                .at("pattern")
                .text();

        assertThat(who).doesNotMatch(pattern);
        assertThatIllegalArgumentException().isThrownBy(() -> StateOverride.checkTexts(who, /* why= */ ""));
    }

    /** Tests that the described pattern of reasons accepts and rejects the same texts as {@code StateOverride}. */
    @ParameterizedTest
    @CsvSource({"Order,why", "OverrideRequest,reason"})
    void reasonsMatchTheirPattern(String schema, String property) throws Exception {
        JsonTree described = document()
                .at("components")
                .at("schemas")
                .at(schema)
                .at("properties")
                .at(property);

        for (String text : List.of("", " ", "kernel update", "J\u00f6rg \ud83d\ude80")) {
            assertThat(text).matches(described.at("pattern").text());
            StateOverride.checkTexts("ann", text);
        }
        for (String text : List.of("a\u0096b", "a\u202eb", "\n", "\udb40\udc41")) {
            assertThat(text).doesNotMatch(described.at("pattern").text());
            assertThatIllegalArgumentException().isThrownBy(() -> StateOverride.checkTexts("ann", text));
        }
    }

    private JsonTree parameter(String path, String name) throws Exception {
        return document().at("paths").at(path).at("get").at("parameters").items().stream()
                .filter(each -> each.at("name").text().equals(name))
                .findFirst()
                .orElseThrow()
                .at("schema");
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
                "/api/v1/overrides",
                "/api/v1/overrides/{pool}/{backend}",
                "/api/v1/routes",
                "/api/v1/policies",
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
                                            path.replace("{pool}", "web")
                                                    .replace("{backend}", "127.0.0.1:9001")
                                                    .replace("{agent}", "a1")
                                                    .replace("{token}", "rack1")
                                                    .replace("{node}", "n9")
                                                    .replace("{number}", "7")
                                                    .replace("{sha256}", "ab".repeat(32)),
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
    void pathParametersHaveBoundsThatTheApiEnforces() throws Exception {
        JsonTree paths = document().at("paths");
        List<String> checked = new ArrayList<>();
        for (String path : paths.names()) {
            if (!path.contains("{")) {
                continue;
            }
            for (JsonTree parameter : paths.at(path).at("parameters").items()) {
                int max = (int) parameter.at("schema").at("maxLength").number();
                for (String method : paths.at(path).names()) {
                    if (!method.equals("parameters")) {
                        String name = "{" + parameter.at("name").text() + "}";
                        String request = method.toUpperCase(Locale.ROOT) + " " + path;
                        checked.add(request);
                        assertThat(statusOf(method, path.replace(name, "a".repeat(max + 1))))
                                .as(request)
                                .isEqualTo(400);
                        assertThat(statusOf(method, path.replace(name, "%C3%A4".repeat(600))))
                                .as(request)
                                .isNotEqualTo(200);
                        assertThat(paths.at(path).at(method).at("responses").names())
                                .as(request)
                                .contains("400", "404");
                    }
                }
            }
        }
        assertThat(checked).hasSizeGreaterThan(10);
    }

    private int statusOf(String method, String path) throws Exception {
        return fixture.send(
                        method.toUpperCase(Locale.ROOT),
                        path.replace("{pool}", "web")
                                .replace("{backend}", "127.0.0.1:9001")
                                .replace("{node}", "n9")
                                .replace("{number}", "7")
                                .replace("{sha256}", "ab".repeat(32)),
                        "Authorization",
                        "Bearer " + TestUsers.OPERATOR_TOKEN)
                .statusCode();
    }

    @Test
    void everyCommandDescribesThe413Response() throws Exception {
        JsonTree paths = document().at("paths");

        assertThat(paths.names())
                .allSatisfy(path -> assertThat(paths.at(path).names())
                        .filteredOn(method -> List.of("post", "put", "delete").contains(method))
                        .allSatisfy(method -> assertThat(paths.at(path)
                                        .at(method)
                                        .at("responses")
                                        .names())
                                .contains("413")));
    }

    /**
     * The status 501 is only for a dashboard that lacks a source, such as a reloader, but Ballast always provides all
     * sources.
     */
    @Test
    void noRouteDescribesTheResponseOfAMissingSource() throws Exception {
        JsonTree paths = document().at("paths");

        assertThat(paths.names())
                .allSatisfy(path -> assertThat(paths.at(path).names())
                        .filteredOn(method -> !method.equals("parameters"))
                        .allSatisfy(method -> assertThat(paths.at(path)
                                        .at(method)
                                        .at("responses")
                                        .names())
                                .isNotEmpty()
                                .doesNotContain("501")));
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

    /** Accepts every name that does not begin with "unknown", so that only the API's own checks reject other values. */
    private static void requireKnown(String name) {
        if (name.startsWith("unknown")) {
            throw new NoSuchElementException("name: " + name);
        }
    }

    private record AnyServices() implements DnsServices {

        @Override
        public Map<String, Object> explain(String name, String type, Optional<Cidr> from) {
            requireKnown(name);
            return Map.of();
        }

        @Override
        public List<ListedService> services() {
            return List.of();
        }

        @Override
        public FlushResult flushCache(Optional<String> name, boolean below, Optional<String> type) {
            return FlushResult.of(0);
        }

        @Override
        public DnsFilterOverrides filter() {
            return new AnyFilter();
        }

        @Override
        public void addRoundTrips(List<RoundTrip> reports) {}
    }

    private record AnyFilter() implements DnsFilterOverrides {

        @Override
        public Map<String, Object> state() {
            return Map.of();
        }

        @Override
        public void pause(Optional<Duration> time, Optional<String> group, String who) {
            group.ifPresent(OpenApiTest::requireKnown);
        }

        @Override
        public void resume(Optional<String> group, String who) {
            if (group.equals(Optional.of("paused-with-all"))) {
                throw new IllegalStateException("group " + group.get() + " is paused together with all other groups");
            }
        }

        @Override
        public void allow(String name, String who) {}

        @Override
        public void block(String name, String who) {}

        @Override
        public void acceptList(String list, String who) {
            requireKnown(list);
        }

        @Override
        public void removeOverride(String name, String who) {
            requireKnown(name);
        }
    }
}
