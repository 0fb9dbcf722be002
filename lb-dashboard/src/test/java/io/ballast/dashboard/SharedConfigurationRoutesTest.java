package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.RejectedChangeException;
import io.ballast.core.control.UnavailableException;
import io.ballast.dashboard.source.SharedConfiguration;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SharedConfigurationRoutesTest {

    private static final String PATH = "/api/v1/cluster/configuration";
    private static final String UPLOAD = "ab".repeat(32);

    @AutoClose
    private final DashboardFixture fixture;

    private final Versions versions = new Versions();

    SharedConfigurationRoutesTest() throws IOException {
        fixture = new DashboardFixture(1);
    }

    private static SharedConfiguration.Version version(long number, SharedConfiguration.State state, String reason) {
        return new SharedConfiguration.Version(
                number,
                "cd".repeat(32),
                state,
                "ann",
                "n1",
                Instant.EPOCH,
                "a note",
                2,
                345,
                number == 3 ? 1 : 0,
                reason);
    }

    /** A shared configuration that records all calls. */
    private static final class Versions implements SharedConfiguration {

        private final List<String> calls = new ArrayList<>();
        private Result result = new Result(
                version(3, State.ACTIVE, ""),
                List.of(new Verdict("n1", /* isAccepted= */ true, /* isLocal= */ false, List.of())),
                List.of(new NodeState("n1", /* isLocal= */ false, 3, "cd".repeat(32), "")));
        private Optional<RuntimeException> failure = Optional.empty();

        @Override
        public List<Version> versions() {
            return List.of(version(1, State.SUPERSEDED, ""), version(2, State.REJECTED, "n2: wrong"), result.version());
        }

        @Override
        public List<NodeState> nodes() {
            return List.of(
                    new NodeState("n1", /* isLocal= */ false, 3, "cd".repeat(32), ""),
                    new NodeState("n2", /* isLocal= */ false, 0, "", "version 3 not applied: no space"),
                    new NodeState("n3", /* isLocal= */ true, 0, "", ""));
        }

        @Override
        public Optional<SortedMap<String, byte[]>> files(long number) {
            return number == 3
                    ? Optional.of(new TreeMap<>(Map.of("site.yaml", "grace: 5s".getBytes(StandardCharsets.UTF_8))))
                    : Optional.empty();
        }

        @Override
        public void upload(String upload, int offset, byte[] part) {
            calls.add(upload + " " + offset + " " + new String(part, StandardCharsets.UTF_8));
        }

        @Override
        public CompletableFuture<Result> apply(String upload, String author, String note, Duration wait) {
            calls.add("apply " + upload + " " + author + " " + note + " " + wait);
            return failure.isPresent()
                    ? CompletableFuture.failedFuture(failure.get())
                    : CompletableFuture.completedFuture(result);
        }

        @Override
        public CompletableFuture<Result> rollback(Optional<Long> number, String author, String note, Duration wait) {
            calls.add("rollback " + number + " " + author + " " + note + " " + wait);
            return CompletableFuture.completedFuture(result);
        }
    }

    private HttpResponse<String> put(String query, String body) throws Exception {
        fixture.sharedConfiguration(versions);
        HttpRequest request = HttpRequest.newBuilder(fixture.uri(PATH + "/uploads/" + UPLOAD + query))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body))
                .build();
        return fixture.client().send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path) throws Exception {
        fixture.sharedConfiguration(versions);
        return fixture.send("POST", PATH + path);
    }

    @Test
    void theHistoryHasAllVersionsAndNodes() throws Exception {
        assertThat(fixture.get(PATH).statusCode()).isEqualTo(404);
        fixture.sharedConfiguration(versions);

        JsonTree history = JsonTree.of(fixture.get(PATH).body());

        assertThat(history.at("active").number()).isEqualTo(3);
        List<JsonTree> all = history.at("versions").items();
        assertThat(all).hasSize(3);
        assertThat(all.get(1).at("state").text()).isEqualTo("rejected");
        assertThat(all.get(1).at("reason").text()).isEqualTo("n2: wrong");
        assertThat(all.get(2).at("rollback_of").number()).isEqualTo(1);
        assertThat(all.get(0).names()).doesNotContain("reason", "rollback_of");
        List<JsonTree> nodes = history.at("nodes").items();
        assertThat(nodes.get(1).at("failure").text()).isEqualTo("version 3 not applied: no space");
        assertThat(nodes.get(2).at("mode").text()).isEqualTo("local");
        assertThat(nodes.get(2).names()).doesNotContain("sha256", "failure");
    }

    @Test
    void filesAreSentInBase64() throws Exception {
        fixture.sharedConfiguration(versions);

        JsonTree file = JsonTree.of(fixture.get(PATH + "/versions/3").body())
                .at("files")
                .items()
                .get(0);

        assertThat(file.at("path").text()).isEqualTo("site.yaml");
        assertThat(Base64.getDecoder().decode(file.at("content").text()))
                .asString()
                .isEqualTo("grace: 5s");
        assertThat(fixture.get(PATH + "/versions/4").statusCode()).isEqualTo(404);
        assertThat(fixture.get(PATH + "/versions/x").statusCode()).isEqualTo(400);
    }

    @Test
    void partsOfAnUploadArePassedOn() throws Exception {
        assertThat(put("", "{\"data\": \"YWI=\"}").body()).contains("\"received\":2");
        assertThat(put("?offset=2", "{\"data\": \"Yw==\"}").body()).contains("\"received\":3");
        assertThat(versions.calls).containsExactly(UPLOAD + " 0 ab", UPLOAD + " 2 c");

        assertThat(put("", "{\"data\": \"no base64!\"}").statusCode()).isEqualTo(400);
        assertThat(put("", "{\"data\": \"no base64!\"}").body()).contains("data: not Base64");
        assertThat(put("", "{\"data\": \"YWI=\", \"other\": 1}").statusCode()).isEqualTo(400);
        assertThat(put("", "no json").statusCode()).isEqualTo(400);
        assertThat(put("?offset=-1", "{\"data\": \"YWI=\"}").statusCode()).isEqualTo(400);
        assertThat(put("?ofset=2", "{\"data\": \"YWI=\"}").statusCode()).isEqualTo(400);
        assertThat(put("", "{\"data\": \"" + "A".repeat(16 << 10) + "\"}").statusCode())
                .isEqualTo(413);
        assertThat(versions.calls).hasSize(2);
    }

    @Test
    void aProposalHasAnAuthorANoteAndATimeLimit() throws Exception {
        HttpResponse<String> applied = post("?upload=" + UPLOAD + "&note=new%20pool&wait=1m&who=ann");

        assertThat(applied.statusCode()).isEqualTo(200);
        assertThat(JsonTree.of(applied.body()).at("version").at("state").text()).isEqualTo("active");
        post("?upload=" + UPLOAD);
        post("/rollback");
        post("/rollback?version=7&note=slow");
        assertThat(versions.calls)
                .containsExactly(
                        "apply " + UPLOAD + " ann new pool PT1M",
                        "apply " + UPLOAD + " api  PT30S",
                        "rollback Optional.empty api  PT30S",
                        "rollback Optional[7] api slow PT30S");

        for (String wrong :
                List.of("", "?upload=short", "?upload=" + UPLOAD + "&wait=3m", "?upload=" + UPLOAD + "&x=1")) {
            assertThat(post(wrong).statusCode()).as(wrong).isEqualTo(400);
        }
        assertThat(versions.calls).hasSize(4);
    }

    @Test
    void refusalsHaveTheirStatus() throws Exception {
        versions.result = new SharedConfiguration.Result(
                version(4, SharedConfiguration.State.REJECTED, "n2: wrong"),
                List.of(new SharedConfiguration.Verdict(
                        "n2", /* isAccepted= */ false, /* isLocal= */ false, List.of("site.yaml:1:2: wrong"))),
                List.of());
        HttpResponse<String> rejected = post("?upload=" + UPLOAD);
        assertThat(rejected.statusCode()).isEqualTo(422);
        assertThat(rejected.body()).contains("\"errors\":[\"site.yaml:1:2: wrong\"]");

        versions.failure = Optional.of(new RejectedChangeException("version 3 of ann is being applied by n1"));
        assertThat(post("?upload=" + UPLOAD).statusCode()).isEqualTo(409);
        versions.failure = Optional.of(new UnavailableException("no majority"));
        assertThat(post("?upload=" + UPLOAD).statusCode()).isEqualTo(503);
    }
}
