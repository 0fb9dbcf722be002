package io.ballast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.ValueMatch;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.TestRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the compiled route table with a sorted list of routes tried in order. */
class RouteModelTest {

    private static final String[] HOSTS = {
        "a.x", "b.x", "a.b.x", "*.x", "*.b.x", "*.a.b.x", "x", "a", "*.y", "[::1]",
    };
    private static final String[] REQUEST_HOSTS = {
        "a.x", "b.x", "B.X", "a.b.x", "c.b.x", "q.a.b.x", "x", "a", "c.y", "a.x.", ".x", "", "z", "[::1]", "[::2]",
        "ab.x"
    };
    private static final String[] PATHS = {
        "/", "/a", "/b", "/a/b", "/a/b/", "/a/b/c", "/aa", "/a/bb", "/b/a", "/a%20b", "/a/b/c/d/e/f"
    };
    private static final String[] REGEXES = {
        "/a/b.*", "/a/?b?", "/(a|b)/.*", "/a|/b", "^/a/[a-c]+$", ".*c", "/a/b/c?/?.*", "(?i)/A/B", "/b/a+", "/a/(b|c)/c"
    };
    private static final String[] SEGMENTS = {
        "a", "b", "c", "aa", "bb", "", ".", "..", "%61", "%2Fb", "a%20b", "d", "e", "f"
    };

    private final RouteScratch scratch = new RouteScratch(new SplittableRandom(1));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void matchesLinearSearch(long seed) throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 40; round++) {
            List<RouteMatch> matches = new ArrayList<>();
            for (int i = 1 + random.nextInt(40); i > 0; i--) {
                matches.add(match(random));
            }
            NumberedRoutes routes = new NumberedRoutes(matches);
            NaiveRoutes naive = new NaiveRoutes(matches);
            for (int i = 0; i < 100; i++) {
                TestRequest request = request(random);
                byte[] client =
                        InetAddress.getByName("10.0.0." + random.nextInt(4)).getAddress();
                scratch.path().normalize(request.bytes(), request.pathStart(), request.pathEnd());

                int expected = naive.find(request, client, scratch);

                assertThat(routes.find(request, client))
                        .as("%s from %d in %s", request, client[3], matches)
                        .isEqualTo(expected);
            }
        }
    }

    private static RouteMatch match(SplittableRandom random) {
        List<String> hosts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 1; i--) {
            hosts.add(pick(random, HOSTS));
        }
        return new RouteMatch(
                hosts,
                path(random),
                random.nextInt(4) == 0 ? List.of("GET") : List.of(),
                random.nextInt(6) == 0 ? Map.of("h", value(random)) : Map.of(),
                random.nextInt(8) == 0 ? Map.of("q", value(random)) : Map.of(),
                random.nextInt(8) == 0 ? Map.of("c", value(random)) : Map.of(),
                random.nextInt(8) == 0 ? List.of(Cidr.parse("10.0.0.0/31")) : List.of());
    }

    private static PathMatch path(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> new PathMatch.Exact(pick(random, PATHS));
            case 1 -> new PathMatch.Regex(pick(random, REGEXES));
            default -> new PathMatch.Prefix(pick(random, PATHS));
        };
    }

    private static ValueMatch value(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> new ValueMatch.Exact("v");
            case 1 -> new ValueMatch.Prefix("v");
            case 2 -> new ValueMatch.Regex("[vw]");
            default -> new ValueMatch.Present(random.nextBoolean());
        };
    }

    private static TestRequest request(SplittableRandom random) {
        StringBuilder target = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            target.append('/').append(pick(random, SEGMENTS));
        }
        if (random.nextInt(3) == 0) {
            target.append(pick(random, new String[] {"?q=v", "?q=w&x", "?q", "?x=v", "?"}));
        }
        TestRequest request =
                new TestRequest(random.nextBoolean() ? "GET" : "PUT", pick(random, REQUEST_HOSTS), target.toString());
        if (random.nextInt(2) == 0) {
            request.header("H", pick(random, new String[] {"v", "vx", "w"}));
        }
        if (random.nextInt(2) == 0) {
            request.header("Cookie", pick(random, new String[] {"c=v", "x=v; c=w", "x=c"}));
        }
        return request;
    }

    private static String pick(SplittableRandom random, String[] from) {
        return from[random.nextInt(from.length)];
    }
}
