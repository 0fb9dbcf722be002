package io.ballast.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.ValueMatch;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.route.request.TestRequest;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests that finding a route does not allocate after warm-up. */
class RouteAllocationTest {

    private static final int ROUTES = 10_000;
    private static final int MAX_BATCHES = 5_000;
    private static final int ROUNDS = 1_000;

    @Test
    void routeLookupAllocatesNothing() {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocations");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<RouteMatch> matches = new ArrayList<>();
        for (int i = 0; i < ROUTES; i++) {
            matches.add(RouteMatch.of("host" + i + ".example", "/path/" + i));
        }
        matches.add(new RouteMatch(
                List.of("*.example"),
                new PathMatch.Prefix("/a"),
                List.of("GET"),
                Map.of("x-a", new ValueMatch.Exact("b")),
                Map.of("q", new ValueMatch.Prefix("r s")),
                Map.of("c", new ValueMatch.Present(true)),
                NumberedRoutes.client("127.0.0.0/8").clients()));
        RouteTable table = new NumberedRoutes(matches).table();
        RouteScratch scratch = new RouteScratch(new SplittableRandom(1));
        byte[] client = {127, 0, 0, 1};
        RoutedRequest plain = TestRequest.get("HOST5000.example", "/path/5000/x?y");
        RoutedRequest odd = TestRequest.get("host7.example.", "//path/./%37");
        RoutedRequest conditional = TestRequest.get("host7.example", "/a/b?%71=r+s")
                .header("X-A", "b")
                .header("Cookie", "a=b; c=d");
        long min = Long.MAX_VALUE;

        for (int batch = 0; batch < MAX_BATCHES && min > 0; batch++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            int found = 0;
            for (int i = 0; i < ROUNDS; i++) {
                found += table.find(plain, client, scratch) == null ? 0 : 1;
                found += table.find(odd, client, scratch) == null ? 0 : 1;
                found += table.find(conditional, client, scratch) == null ? 0 : 1;
            }
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - before);
            assertThat(found).isEqualTo(3 * ROUNDS);
        }

        // One batch is enough: only compiled code does not allocate, and the time of compilation is unpredictable.
        assertThat(min).isZero();
    }
}
