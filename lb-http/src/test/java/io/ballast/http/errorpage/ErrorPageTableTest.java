package io.ballast.http.errorpage;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.http.testing.TestErrorPages;
import org.junit.jupiter.api.Test;

class ErrorPageTableTest {

    private static final String ANY = "*/*";

    private final ErrorPages pool =
            new TestErrorPages().page("default", "pool.json").build();
    private final ErrorPages route = new TestErrorPages()
            .page("default", "route-default.html")
            .page("5xx", "route-5xx.html")
            .page("503", "route-503.html")
            .build();
    private final ErrorPages listener = new TestErrorPages()
            .page("503", "listener.html")
            .page("503", "listener.txt")
            .build();

    @Test
    void moreSpecificStatusWins() {
        ErrorPageTable table = ErrorPageTable.of(route, listener);

        assertThat(file(table, 503, ANY)).isEqualTo("route-503.html");
        assertThat(file(table, 502, ANY)).isEqualTo("route-5xx.html");
        assertThat(file(table, 404, ANY)).isEqualTo("route-default.html");
    }

    @Test
    void moreSpecificPlaceWinsForEachFormat() {
        ErrorPageTable table = ErrorPageTable.of(pool, route, listener);

        assertThat(file(table, 503, "application/json")).isEqualTo("pool.json");
        assertThat(file(table, 503, "text/html")).isEqualTo("route-503.html");
        assertThat(file(table, 503, "text/plain")).isEqualTo("listener.txt");
        assertThat(file(table, 404, "text/plain")).isEmpty();
        assertThat(file(table, 404, "text/plain;q=0.5, text/html;q=0.4")).isEqualTo("route-default.html");
    }

    @Test
    void otherStatusIsSent() {
        ErrorPageTable table = ErrorPageTable.of(
                new TestErrorPages().page("404", "found.html", 200).build());

        assertThat(table.select(404, AcceptedFormats.of(ANY)).status()).isEqualTo(200);
        assertThat(table.select(403, AcceptedFormats.of(ANY))).isNull();
    }

    @Test
    void mostSpecificPlaceDecidesWhatIsIntercepted() {
        ErrorPages none = new TestErrorPages().intercept().build();
        ErrorPages some = new TestErrorPages().intercept("404", "5xx").build();

        assertThat(ErrorPageTable.of(none, some).intercepts(404)).isFalse();
        ErrorPageTable inherited = ErrorPageTable.of(pool, some);
        assertThat(inherited.intercepts(404)).isTrue();
        assertThat(inherited.intercepts(599)).isTrue();
        assertThat(inherited.intercepts(403)).isFalse();
    }

    @Test
    void placesWithoutPagesNeedNoTable() {
        assertThat(ErrorPageTable.of(ErrorPages.NONE, ErrorPages.NONE)).isNull();
    }

    private static String file(ErrorPageTable table, int status, String accept) {
        ErrorPageTable.Selection found = table.select(status, AcceptedFormats.of(accept));
        return found == null ? "" : found.file().file().toString();
    }
}
