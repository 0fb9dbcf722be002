package io.ballast.http.route.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.balance.Member;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ChiSquare;
import io.ballast.core.testing.Pools;
import io.ballast.http.header.RouteHeaderEdits;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WeightedRoutesTest {

    @Test
    void selectsRoutesByWeight() {
        List<Route> routes = List.of(route("a"), route("b"), route("c"));
        WeightedRoutes split = new WeightedRoutes(routes, List.of(1, 0, 9));
        SplittableRandom random = new SplittableRandom(3);
        long[] counts = new long[3];
        for (int i = 0; i < 10_000; i++) {
            counts[routes.indexOf(split.select(random))]++;
        }

        assertThat(counts[1]).isZero();
        ChiSquare.assertFits(new long[] {counts[0], counts[2]}, 0.1, 0.9);
    }

    private static Route route(String pool) {
        Member member = new Member(Backends.backend(0), /* weight= */ 1, /* priority= */ 0);
        return new Route.ToPool(
                Pools.pool(pool, Pools.UNCHECKED, List.of(member)),
                /* generation= */ 0,
                null,
                RouteHeaderEdits.NONE,
                /* key= */ null,
                /* policies= */ null);
    }
}
