package io.ballast.http.route;

import io.ballast.core.config.HostPort;
import io.ballast.core.pool.Topology;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.net.config.ClientLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Finds the route of a request among 10, 100 and 10,000 routes, ten path prefixes per host, in random order. The number
 * of different requested routes separates the cost of the lookup from that of CPU cache misses. Allocates nothing:
 * {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar RouteLookupBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RouteLookupBenchmark {

    private static final byte[] CLIENT = {127, 0, 0, 1};
    private static final int PATHS_PER_HOST = 10;
    /** The number of different requests; large enough that no branch predictor learns their order. */
    private static final int REQUESTS = 4096;

    private static final String AFTER_PREFIX = "/1842?color=blue&size=m";

    @Param({"10", "100", "10000"})
    int routes;

    /** Maximum number of different routes that are requested. */
    @Param({"10", "10000"})
    int requestedRoutes;

    private RouteTable table = compile(0);
    private PlainRequest[] requests = {};
    private int next;

    private final RouteScratch scratch = new RouteScratch(new SplittableRandom(1));

    /** Compiles the table and creates requests; each matches one of its routes. */
    @Setup
    public void compose() {
        table = compile(routes);
        int different = Math.min(routes, requestedRoutes);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < Math.max(different, REQUESTS); i++) {
            order.add(i % different * (routes / different));
        }
        Collections.shuffle(order, new Random(1));
        requests = new PlainRequest[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            int route = order.get(i);
            requests[i] = new PlainRequest(host(route), path(route) + AFTER_PREFIX);
            if (find(i) == null) {
                throw new IllegalStateException("route: none for " + host(route) + path(route) + " (expected: one)");
            }
        }
    }

    @Benchmark
    public @Nullable Route find() {
        next = next + 1 == REQUESTS ? 0 : next + 1;
        return find(next);
    }

    private @Nullable Route find(int request) {
        return table.find(requests[request], CLIENT, scratch);
    }

    private static RouteTable compile(int count) {
        List<RouteConfig> routes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            routes.add(RouteConfig.of(host(i), path(i), new RouteAction.Respond(200, "text/plain", "")));
        }
        ListenerConfig listener = new ListenerConfig(
                "web",
                new HostPort("127.0.0.1", 0),
                routes,
                ClientDeadlines.DEFAULT,
                ClientLimits.DEFAULT,
                ListenerConfig.DEFAULT_FORWARDING);
        return RouteTable.compile(listener, new Topology(Map.of(), Map.of()));
    }

    private static String host(int route) {
        return "app" + route / PATHS_PER_HOST + ".example.com";
    }

    private static String path(int route) {
        return "/shop/section" + route % PATHS_PER_HOST + "/articles";
    }
}
