package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.EventStream;
import io.ballast.dashboard.testing.FakeReloader.ReloadCall;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReloadRoutesTest {

    private static final String PATH = "/api/v1/reload";

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
    @CsvSource({"APPLIED, 200", "UNCHANGED, 200", "DRY_RUN, 200", "REFUSED, 422"})
    void theResponseHasTheResult(Outcome outcome, int status) throws Exception {
        CompletableFuture<HttpResponse<String>> response = post(PATH);
        ReloadCall call = fixture.reloader().next();
        assertThat(call.dryRun()).isFalse();
        assertThat(call.who()).isEqualTo("api");
        assertThat(response).isNotDone();

        call.answer(outcome);

        HttpResponse<String> answer = response.get(10, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        JsonTree json = JsonTree.of(answer.body());
        assertThat(json.names()).containsExactly("outcome", "changes", "warnings", "errors", "published_ms");
        assertThat(json.at("outcome").text()).isEqualTo(outcome.label());
        assertThat(json.at("warnings").at(0).text()).isEqualTo("data_dir: needs a restart");
        assertThat(json.at("published_ms").number()).isEqualTo(1.5);
        assertThat(json.at(outcome == Outcome.REFUSED ? "errors" : "changes").items())
                .hasSize(1);
    }

    @Test
    void aBodyIsRejected() throws Exception {
        HttpResponse<String> answer = fixture.post(PATH, "{\"dry_run\": true}", "content-type", "application/json")
                .get();

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("dry_run is a query parameter");
        assertThat(fixture.reloader().waiting()).isZero();
    }

    @Test
    void theLastReloadIsReturnedWhoeverRequestedIt() throws Exception {
        assertThat(fixture.get(PATH).statusCode()).isEqualTo(404);
        CompletableFuture<ReloadReport> unused = fixture.recorded().reload(/* dryRun= */ false, "SIGHUP");
        fixture.reloader().next().answer(Outcome.REFUSED);

        JsonTree last = JsonTree.of(fixture.get(PATH).body());

        assertThat(last.at("who").text()).isEqualTo("SIGHUP");
        assertThat(last.at("outcome").text()).isEqualTo("refused");
        assertThat(last.at("time").text()).isNotEmpty();
    }

    @Test
    void aDryRunIsNotRecorded() throws Exception {
        CompletableFuture<HttpResponse<String>> response = post(PATH + "?dry_run=true");
        ReloadCall call = fixture.reloader().next();
        call.answer(Outcome.DRY_RUN);

        assertThat(call.dryRun()).isTrue();
        assertThat(response.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(fixture.get(PATH).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?dryrun=true", "?dry_run=yes", "?dry_run", "?dry_run=true&dry_run=false", "?now=1"})
    void unknownParametersAreRejected(String query) throws Exception {
        assertThat(post(PATH + query).get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(400);
        assertThat(fixture.reloader().waiting()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://evil.example, 403",
        "Origin, http://localhost:3000, 403",
        "Origin, null, 403",
        "Sec-Fetch-Site, cross-site, 403",
        "Sec-Fetch-Site, same-site, 403",
        "Content-Type, application/x-www-form-urlencoded, 415",
        "Content-Type, text/plain, 415",
    })
    void requestsOfOtherOriginsAreRejected(String header, String value, int status) throws Exception {
        HttpResponse<String> response =
                post(PATH, header, value, "Sec-Fetch-Mode", "navigate").get(10, TimeUnit.SECONDS);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(fixture.reloader().waiting()).isZero();
    }

    @Test
    void requestsOfTheSameOriginAreAccepted() throws Exception {
        String origin = fixture.uri("").toString();
        CompletableFuture<HttpResponse<String>> response =
                post(PATH, "Origin", origin, "Sec-Fetch-Site", "same-origin", "Content-Type", "application/json");
        fixture.reloader().next().answer(Outcome.APPLIED);

        assertThat(response.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void aNonJsonBodyIsRejected() throws Exception {
        String request =
                "POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi";

        assertThat(fixture.raw(request)).startsWith("HTTP/1.1 415 ");
        assertThat(fixture.reloader().waiting()).isZero();
    }

    @Test
    void otherMethodsGetA405() throws Exception {
        HttpResponse<String> response = fixture.send("DELETE", PATH);

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).hasValue("GET, HEAD, POST");
    }

    @Test
    void waitingReloadsAreBoundedAndDoNotBlockOtherRequests() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        List<ReloadCall> call = new ArrayList<>();
        for (int i = 0; i < ReloadRoutes.MAX_PENDING; i++) {
            waiting.add(post(PATH));
            call.add(fixture.reloader().next());
        }

        assertThat(post(PATH).get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
        assertThat(fixture.get("/readyz").statusCode()).isEqualTo(200);

        call.forEach(each -> each.answer(Outcome.UNCHANGED));
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            assertThat(each.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        }
        CompletableFuture<HttpResponse<String>> later = post(PATH);
        fixture.reloader().next().answer(Outcome.APPLIED);
        assertThat(later.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void aReloadContinuesAfterItsClientDisconnects() throws Exception {
        ReloadCall call;
        try (Socket client = fixture.open("POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            call = fixture.reloader().next();
            client.setSoLinger(true, 0);
        }
        call.answer(Outcome.APPLIED);

        assertThat(JsonTree.of(fixture.get(PATH).body()).at("outcome").text()).isEqualTo("applied");
        assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void defectsGetA500AndReleaseTheirSlot() throws Exception {
        CompletableFuture<HttpResponse<String>> failed = post(PATH);
        fixture.reloader().next().report().completeExceptionally(new IllegalStateException("expected in this test"));
        assertThat(failed.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
        fixture.reloader().fail();

        for (int i = 0; i <= ReloadRoutes.MAX_PENDING; i++) {
            assertThat(post(PATH).get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
        }
    }

    @Test
    void pagesShowARefusalUntilAReloadSucceeds() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            assertThat(stream.next("snapshot").data().at("reload_refused").isNull())
                    .isTrue();
            CompletableFuture<HttpResponse<String>> refused = post(PATH);
            fixture.reloader().next().answer(Outcome.REFUSED);
            assertThat(refused.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(422);

            JsonTree event = stream.next(
                            "tick", tick -> !tick.at("reload_refused").isNull())
                    .data()
                    .at("reload_refused");
            assertThat(event.at("who").text()).isEqualTo("api");
            assertThat(event.at("errors").at(0).text()).contains("no such thing");
            assertThat(event.at("more_errors").number()).isZero();
            CompletableFuture<HttpResponse<String>> unchanged = post(PATH);
            fixture.reloader().next().answer(Outcome.UNCHANGED);
            assertThat(unchanged.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            stream.next("tick", tick -> tick.at("reload_refused").isNull());
        }
    }

    @Test
    void reloadsWithoutAReloaderGetA501() throws Exception {
        assertThat(fixture.statusWithoutSources(PATH)).isEqualTo(501);
    }

    private CompletableFuture<HttpResponse<String>> post(String path, String... headers) {
        return fixture.post(path, "", headers);
    }
}
