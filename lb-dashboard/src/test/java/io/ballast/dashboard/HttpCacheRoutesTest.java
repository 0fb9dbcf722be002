package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.RejectedChangeException;
import io.ballast.dashboard.source.FlushResult;
import io.ballast.dashboard.source.HttpCaches;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCacheRoutesTest {

    private static final String PATH = "/api/v1/cache/purge";

    @AutoClose
    private final DashboardFixture fixture;

    private final AtomicReference<HttpCaches.@Nullable Selection> purged = new AtomicReference<>();

    HttpCacheRoutesTest() throws IOException {
        fixture = new DashboardFixture(1);
        fixture.caches((selection, who) -> {
            purged.set(selection);
            return FlushResult.of(3);
        });
    }

    @Test
    void passesTheSelectionOn() throws Exception {
        String body = fixture.send("POST", PATH + "?url=https://example.com/a%3Fb&tag=news&policy=pages")
                .body();

        assertThat(JsonTree.of(body).at("removed").number()).isEqualTo(3);
        assertThat(purged.get())
                .isEqualTo(new HttpCaches.Selection(
                        Optional.of("pages"), Optional.of("https://example.com/a?b"), Optional.of("news")));
    }

    @Test
    void acceptsTheLongestUrlAlsoPercentEncoded() throws Exception {
        String url = "http://" + "^".repeat(4096 - "http://".length());

        assertThat(fixture.send("POST", PATH + "?url=" + url.replace("^", "%5E"))
                        .statusCode())
                .isEqualTo(200);

        assertThat(purged.get())
                .isEqualTo(new HttpCaches.Selection(Optional.empty(), Optional.of(url), Optional.empty()));
    }

    @Test
    void selectsAllWithoutParameters() throws Exception {
        assertThat(fixture.send("POST", PATH).statusCode()).isEqualTo(200);

        assertThat(purged.get())
                .isEqualTo(new HttpCaches.Selection(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?url=/a",
                "?url=ftp://a/",
                "?url=http://a/%20",
                "?url=http://a/&url=http://b/",
                "?urls=http://a/"
            })
    void rejectsOtherParameters(String query) throws Exception {
        assertThat(fixture.send("POST", PATH + query).statusCode()).isEqualTo(400);
        assertThat(purged.get()).isNull();
    }

    @Test
    void aPendingRemovalIsAccepted() throws Exception {
        fixture.caches((selection, who) -> new FlushResult(3, /* isPending= */ true));
        assertThat(fixture.send("POST", PATH).statusCode()).isEqualTo(202);
    }

    @Test
    void aRejectedRemovalIsAConflict() throws Exception {
        fixture.caches((selection, who) -> {
            throw new RejectedChangeException("the cluster rejected this change: too late");
        });
        HttpResponse<String> response = fixture.send("POST", PATH);
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("too late");
    }

    @Test
    void anUnknownCacheIsNotFound() throws Exception {
        fixture.caches((selection, who) -> {
            throw new NoSuchElementException("there is no cache other");
        });

        assertThat(fixture.send("POST", PATH + "?policy=other").statusCode()).isEqualTo(404);
    }
}
