package io.ballast.http.route.destination;

import java.util.List;
import java.util.random.RandomGenerator;

/** Routes to several pools, chosen at random by weight. Cost of a choice: linear in the number of pools. */
final class WeightedRoutes implements Destination {

    private final Route[] routes;
    private final int[] cumulativeWeights;

    /** @param weights one weight per route, not negative, not all 0 */
    WeightedRoutes(List<Route> routes, List<Integer> weights) {
        this.routes = routes.toArray(new Route[0]);
        this.cumulativeWeights = new int[this.routes.length];
        int sum = 0;
        for (int i = 0; i < cumulativeWeights.length; i++) {
            sum = Math.addExact(sum, weights.get(i));
            cumulativeWeights[i] = sum;
        }
    }

    /** Never selects a route of weight 0. */
    @Override
    public Route select(RandomGenerator random) {
        int draw = random.nextInt(cumulativeWeights[cumulativeWeights.length - 1]);
        int index = 0;
        while (cumulativeWeights[index] <= draw) {
            index++;
        }
        return routes[index];
    }
}
