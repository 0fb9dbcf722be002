package io.ballast.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.http.route.RouteTable;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.TestRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the routes in docs/route-selection.md give the results that its table lists. */
class RouteSelectionPageTest {

    private static final DocumentPage PAGE = new DocumentPage("docs/route-selection.md");

    /** Matches a row of the table: method, host, path, cookie if there is one, and result. */
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| `([A-Z]+) ([^/` ]+)(/[^` ]*)`(?: with cookie `([^`]+)`)? \\| ([^ |]+) \\| [^|]+ \\|$");

    @TempDir
    private Path directory;

    @Test
    void requestsHaveListedResults() throws Exception {
        BallastConfig config = PAGE.loadExample(directory);
        RouteTable table = RouteTable.compile(config.listeners().get(0), DocumentPage.topology(config));
        List<MatchResult> rows = PAGE.matches(ROW);

        assertThat(rows).hasSize(14);
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(result(table, request(row))).as(row.group()).isEqualTo(row.group(5)));
    }

    private static TestRequest request(MatchResult row) {
        TestRequest request = new TestRequest(row.group(1), row.group(2), row.group(3));
        String cookie = row.group(4);
        return cookie == null ? request : request.header("cookie", cookie);
    }

    private static String result(RouteTable table, TestRequest request) {
        byte[] client = {10, 0, 0, 1};
        return name(table.find(request, client, new RouteScratch(new SplittableRandom(1))));
    }

    private static String name(@Nullable Route route) {
        if (route instanceof Route.ToPool to) {
            return to.pool().name();
        }
        if (route instanceof Route.Fixed fixed) {
            return Integer.toString(fixed.response().status());
        }
        return route instanceof Route.Refused ? "400" : "404";
    }
}
