package io.ballast.dashboard;

import static io.ballast.dashboard.testing.TestUsers.ANN;
import static io.ballast.dashboard.testing.TestUsers.OPERATOR_TOKEN;
import static io.ballast.dashboard.testing.TestUsers.OVERRIDE_TOKEN;
import static io.ballast.dashboard.testing.TestUsers.PASSWORD;
import static io.ballast.dashboard.testing.TestUsers.VIC;
import static io.ballast.dashboard.testing.TestUsers.VIEWER_TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.dashboard.config.DashboardAccess;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.DashboardUser;
import io.ballast.dashboard.config.Role;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeReloader.ReloadCall;
import io.ballast.dashboard.testing.JsonTree;
import io.ballast.dashboard.testing.TestUsers;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests authentication and authorization over real connections. */
class AccessTest {

    private static final DashboardConfig CONFIG =
            new DashboardConfig(true, new HostPort("127.0.0.1", 0)).withAccess(TestUsers.ALL);
    private static final String ORDER = "/api/v1/pools/web/backends/127.0.0.1:9001/drain";

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(1, CONFIG);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** The session that a login sets in a browser. */
    private record Login(String cookie, String csrf) {}

    @Test
    void everyRouteRequiresItsRole() throws Exception {
        fixture.reloader().fail();
        List<String> wrong = new ArrayList<>();
        for (String route : fixture.dashboard().routes()) {
            String[] parts = route.split(" ");
            int anonymous = status(parts, Optional.empty());
            int viewer = status(parts, Optional.of(VIEWER_TOKEN));
            int operator = status(parts, Optional.of(OPERATOR_TOKEN));
            int override = status(parts, Optional.of(OVERRIDE_TOKEN));
            boolean right =
                    switch (parts[2]) {
                        case "anybody" -> anonymous != 403 && (anonymous != 401 || parts[1].endsWith("/login"));
                        case "viewer" -> anonymous == 401 && isAllowed(viewer) && override == 403;
                        case "operator" -> anonymous == 401 && viewer == 403 && override == 403 && isAllowed(operator);
                        case "override" ->
                            anonymous == 401 && viewer == 403 && isAllowed(override) && isAllowed(operator);
                        case "viewer,override" -> anonymous == 401 && isAllowed(viewer) && isAllowed(override);
                        default -> false;
                    };
            if (!right) {
                wrong.add(route + ": " + anonymous + " " + viewer + " " + operator + " " + override);
            }
        }

        assertThat(fixture.dashboard().routes()).hasSizeGreaterThan(40);
        assertThat(wrong).isEmpty();
    }

    private static boolean isAllowed(int status) {
        return status != 401 && status != 403;
    }

    @Test
    void onlyLoginAndLogoutArePostRoutesWithoutTheOperatorRole() {
        assertThat(fixture.dashboard().routes())
                .filteredOn(route -> !route.startsWith("GET ") && !route.endsWith(" operator"))
                .containsExactlyInAnyOrder(
                        "POST /api/v1/login anybody",
                        "POST /api/v1/logout viewer",
                        "PUT /api/v1/overrides/{pool}/{backend} override",
                        "DELETE /api/v1/overrides/{pool}/{backend} override");
        assertThat(fixture.dashboard().routes())
                .filteredOn(route -> route.startsWith("GET /api/") && route.endsWith(" anybody"))
                .containsExactly("GET /api/v1/session anybody");
    }

    private int status(String[] route, Optional<String> token) throws Exception {
        String path = route[1].replace("{pool}", "web")
                .replace("{backend}", "127.0.0.1:9001")
                .replace("{agent}", "a1")
                .replace("{token}", "rack1")
                .replace("{node}", "n9")
                .replace("{number}", "7")
                .replace("{sha256}", "ab".repeat(32))
                .replace("{directory}", "guides")
                .replace("{file}", "https.md");
        HttpRequest.Builder request = HttpRequest.newBuilder(fixture.uri(path));
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        if (route[0].equals("GET")) {
            request.method("HEAD", BodyPublishers.noBody()); // a GET response of the stream would not end
        } else {
            request.header("Content-Type", "application/json").method(route[0], BodyPublishers.ofString("{}"));
        }
        return fixture.client().send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    @Test
    void aSessionIsValidUntilTheLogout() throws Exception {
        Login ann = logIn("ann");

        HttpResponse<String> stats = get("/stats", ann);
        assertThat(stats.statusCode()).isEqualTo(200);
        JsonTree session = JsonTree.of(get("/api/v1/session", ann).body());
        assertThat(session.at("name").text()).isEqualTo("ann");
        assertThat(session.at("role").text()).isEqualTo("operator");
        assertThat(session.at("csrf").text()).isEqualTo(ann.csrf());

        HttpResponse<String> out = post("/api/v1/logout", ann, ann.csrf());
        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.headers().firstValue("set-cookie").orElseThrow()).contains("Max-Age=0");
        assertThat(get("/stats", ann).statusCode()).isEqualTo(401);
    }

    @Test
    void theSessionCookieIsHttpOnlySameSiteAndHostOnly() throws Exception {
        String cookie =
                attempt("ann", PASSWORD).headers().firstValue("set-cookie").orElseThrow();

        assertThat(cookie)
                .startsWith("ballast-" + fixture.uri("/").getPort() + "=")
                .containsIgnoringCase("; HttpOnly")
                .contains("SameSite=Strict")
                .contains("Path=/")
                .contains("Max-Age=43200")
                .doesNotContain("Secure")
                .doesNotContain("Domain");
    }

    @Test
    void overTlsTheCookieIsSecureAndHasTheHostPrefix(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.create();
        DashboardConfig secure = CONFIG.withTls(Optional.of(ListenerTls.of(certificate.write(directory))));
        try (DashboardFixture tls = new DashboardFixture(1, secure);
                HttpResource client = new HttpResource(certificate)) {
            int port = tls.dashboard().address().orElseThrow().getPort();
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/api/v1/login"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body("ann", PASSWORD)))
                    .build();

            assertThat(client.client
                            .send(request, BodyHandlers.ofString())
                            .headers()
                            .firstValue("set-cookie")
                            .orElseThrow())
                    .startsWith("__Host-ballast-" + port + "=")
                    .contains("Secure");
        }
    }

    private static final class HttpResource implements AutoCloseable {
        private final HttpClient client;

        HttpResource(TestCertificate trusted) {
            client = HttpClient.newBuilder().sslContext(trusted.client()).build();
        }

        @Override
        public void close() {
            // On Java 17 a client is closed when it is garbage collected.
        }
    }

    @Test
    void wrongPasswordsAndUnknownNamesGetTheSameResponse() throws Exception {
        HttpResponse<String> wrong = attempt("ann", "guessed");
        HttpResponse<String> unknown = attempt("nobody", PASSWORD);

        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.body()).isEqualTo(wrong.body());
        assertThat(wrong.headers().firstValue("set-cookie")).isEmpty();
    }

    @Test
    void failedLoginsThrottleTheirAddressEvenForTheRightPassword() throws Exception {
        fixture.close();
        LongSupplier slowClock = new AtomicLong()::incrementAndGet; // advances by less than a second during the test
        fixture = new DashboardFixture(1, CONFIG, (config, sources) -> Dashboard.start(config, sources, slowClock));
        for (int i = 0; i < 5; i++) {
            assertThat(attempt("ann", "guess " + i).statusCode()).isEqualTo(401);
        }

        HttpResponse<String> slowed = attempt("ann", PASSWORD);

        assertThat(slowed.statusCode()).isEqualTo(429);
        assertThat(slowed.headers().firstValue("retry-after")).hasValue("1");
        assertThat(get("/stats", token(VIEWER_TOKEN)).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[]", "{}", "{\"name\":\"ann\"}", "{\"name\":1,\"password\":\"x\"}", "{\"name\":\"ann\"", "x"
            })
    void malformedLoginRequestsAreNotCountedAsAttempts(String body) throws Exception {
        for (int i = 0; i < 7; i++) {
            assertThat(post("/api/v1/login", body).statusCode()).isEqualTo(400);
        }
        assertThat(attempt("ann", PASSWORD).statusCode()).isEqualTo(200);
    }

    @Test
    void longNamesAndPasswordsAreRejected() throws Exception {
        assertThat(attempt("a".repeat(1001), PASSWORD).statusCode()).isEqualTo(400);
        assertThat(attempt("ann", "p".repeat(1001)).statusCode()).isEqualTo(400);
        assertThat(attempt("ann", "\ud83d\ude80".repeat(1000)).statusCode())
                .as("characters, not code units")
                .isEqualTo(401);
    }

    @Test
    void requestsWithASessionCookieNeedTheCsrfToken() throws Exception {
        Login ann = logIn("ann");

        assertThat(post(ORDER, ann, "").statusCode()).isEqualTo(403);
        assertThat(post(ORDER, ann, logIn("ann").csrf()).statusCode()).isEqualTo(403);
        assertThat(fixture.operator().take()).isEmpty();
        assertThat(post(ORDER, ann, ann.csrf()).statusCode()).isEqualTo(200);
    }

    @Test
    void viewersMayReadButNotSendCommands() throws Exception {
        Login vic = logIn("vic");

        assertThat(get("/api/v1/pools", vic).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = post(ORDER, vic, vic.csrf());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("operator").contains("vic has viewer");
        assertThat(post("/api/v1/logout", vic, vic.csrf()).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"'', ci", "?who=ci, ci", "?who=root, ci for root"})
    void commandsAreAttributedToTheAuthenticatedUser(String query, String who) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri(ORDER + query))
                .header("Authorization", "Bearer " + OPERATOR_TOKEN)
                .POST(BodyPublishers.noBody())
                .build();

        assertThat(fixture.client().send(request, BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);

        assertThat(fixture.operator().take().orElseThrow().order().orElseThrow().author())
                .isEqualTo(who);
    }

    @Test
    void reloadsAreAttributedToTheAuthenticatedUser() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri("/api/v1/reload"))
                .header("Authorization", "bearer " + OPERATOR_TOKEN)
                .POST(BodyPublishers.noBody())
                .build();
        var answer = fixture.client().sendAsync(request, BodyHandlers.ofString());

        ReloadCall call = fixture.reloader().next();
        call.answer(Outcome.APPLIED);

        assertThat(call.who()).isEqualTo("ci");
        assertThat(answer.get().statusCode()).isEqualTo(200);
    }

    @Test
    void wrongCredentialsGrantNoAccess() throws Exception {
        assertThat(get("/stats", token("guessed")).statusCode()).isEqualTo(401);
        assertThat(get("/stats", "Authorization", "Basic YW5uOnBhc3M=").statusCode())
                .isEqualTo(401);
        assertThat(get("/stats", "Cookie", "ballast-" + fixture.uri("/").getPort() + "=guessed")
                        .statusCode())
                .isEqualTo(401);
        HttpResponse<String> none = get("/metrics");
        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(none.headers().firstValue("www-authenticate")).hasValue("Bearer realm=\"ballast\"");
        assertThat(get("/healthz", token("guessed")).statusCode()).isEqualTo(200);
    }

    @Test
    void aReloadEndsSessionsAndStreamsOfChangedUsers() throws Exception {
        Login ann = logIn("ann");
        Login vic = logIn("vic");
        try (Socket stream = fixture.open(
                "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nCookie: " + vic.cookie() + "\r\n\r\n")) {
            InputStream in = stream.getInputStream();
            assertThat(in.read()).isEqualTo('H');

            access(TestUsers.access(ANN, new DashboardUser("vic", VIC.passwordHash(), Role.OPERATOR)));
            in.readAllBytes(); // returns when the server ends the stream

            assertThat(get("/stats", vic).statusCode()).isEqualTo(401);
            assertThat(get("/stats", ann).statusCode()).isEqualTo(200);
        }
        access(TestUsers.access(VIC));
        assertThat(get("/stats", ann).statusCode()).isEqualTo(401);
    }

    @Test
    void aReloadThatEnablesLoginsEndsUnauthenticatedStreams() throws Exception {
        access(DashboardAccess.DEFAULT);
        try (Socket stream = fixture.open("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            InputStream in = stream.getInputStream();
            assertThat(in.read()).isEqualTo('H');

            access(TestUsers.ALL);

            in.readAllBytes();
            assertThat(get("/stats").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void loggingOutEndsTheStreamOfThatSession() throws Exception {
        Login ann = logIn("ann");
        try (Socket stream = fixture.open(
                "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nCookie: " + ann.cookie() + "\r\n\r\n")) {
            assertThat(stream.getInputStream().read()).isEqualTo('H');

            post("/api/v1/logout", ann, ann.csrf());

            assertThat(new String(stream.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("TTP/1.1 200");
        }
    }

    @Test
    void thePageRedirectsToTheLoginAndBack() throws Exception {
        HttpResponse<String> page = get("/");
        assertThat(page.statusCode()).isEqualTo(303);
        assertThat(page.headers().firstValue("location")).hasValue("/login");
        assertThat(get("/login").body()).contains("<form");
        assertThat(get("/", logIn("vic")).body()).contains("id=\"app\"");

        access(DashboardAccess.DEFAULT);
        assertThat(get("/").body()).contains("id=\"app\"");
        assertThat(get("/login").headers().firstValue("location")).hasValue("/");
        assertThat(JsonTree.of(get("/api/v1/session").body()).at("role").text()).isEqualTo("operator");
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 401",
        "'[2001:db8::1]:8001', 401",
        "localhost, 401",
        "LB.example:443, 401",
        "evil.example, 421",
    })
    void onAWildcardAddressOnlyIpAddressesAndConfiguredNamesAreAcceptedAsHost(String host, int status)
            throws Exception {
        fixture.dashboard()
                .prepare(new DashboardConfig(true, new HostPort("0.0.0.0", 0)).withAccess(TestUsers.ALL))
                .commit();

        String answer = fixture.raw("GET /stats HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void otherMachinesAreServedOnlyWithAuthenticationOrInsecure() throws Exception {
        DashboardConfig everywhere = new DashboardConfig(true, new HostPort("0.0.0.0", 0));
        DashboardAccess insecure = new DashboardAccess(
                List.of(), List.of(), DashboardAccess.DEFAULT.sessionLifetime(), List.of(), /* insecure= */ true);

        assertThatThrownBy(() -> fixture.dashboard().prepare(everywhere))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("users or tokens");
        fixture.dashboard().prepare(everywhere.withAccess(insecure)).commit();
        assertThat(get("/stats").statusCode()).isEqualTo(200);
    }

    @Test
    void aRemoteConnectionIsNotTrustedAfterLoginsAreDisabled() throws Exception {
        Optional<InetAddress> other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeThat(other).as("another address of this machine").isPresent();
        fixture.dashboard()
                .prepare(new DashboardConfig(true, new HostPort("0.0.0.0", 0)).withAccess(TestUsers.ALL))
                .commit();
        int port = fixture.dashboard().address().orElseThrow().getPort();
        try (Socket half = new Socket(other.get(), port)) {
            half.setSoTimeout(10_000);
            half.getOutputStream().write("GET /stats HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(get("/healthz").statusCode()).isEqualTo(200);

            fixture.dashboard()
                    .prepare(new DashboardConfig(true, new HostPort("127.0.0.1", 0)))
                    .commit();
            half.getOutputStream().write("Host: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(half.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 401 ");
        }
    }

    private void access(DashboardAccess next) throws IOException {
        fixture.dashboard().prepare(CONFIG.withAccess(next)).commit();
    }

    private Login logIn(String name) throws Exception {
        HttpResponse<String> response = attempt(name, PASSWORD);
        assertThat(response.statusCode()).isEqualTo(200);
        String cookie = response.headers().firstValue("set-cookie").orElseThrow();
        return new Login(
                cookie.substring(0, cookie.indexOf(';')),
                JsonTree.of(response.body()).at("csrf").text());
    }

    private HttpResponse<String> attempt(String name, String password) throws Exception {
        return post("/api/v1/login", body(name, password));
    }

    private static String body(String name, String password) {
        return "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}";
    }

    private static String[] token(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    private HttpResponse<String> get(String path, Login login) throws Exception {
        return get(path, "Cookie", login.cookie());
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        return fixture.get(path, headers);
    }

    private HttpResponse<String> post(String path, Login login, String csrf) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri(path))
                .header("Cookie", login.cookie())
                .header("X-CSRF-Token", csrf)
                .POST(BodyPublishers.noBody())
                .build();
        return fixture.client().send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return fixture.client().send(request, BodyHandlers.ofString());
    }
}
