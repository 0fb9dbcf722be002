package io.ballast.http.route.destination;

import java.util.List;
import java.util.random.RandomGenerator;

/** Routes to several pools that share requests by weight. Cost of a draw: linear in their number. */
final class Split implements Destination {

    private final Route[] routes;
    private final int[] upTo;

    /** @param weights one for each route, not negative, not all 0 */
    Split(List<Route> routes, List<Integer> weights) {
        this.routes = routes.toArray(new Route[0]);
        this.upTo = new int[this.routes.length];
        int sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum = Math.addExact(sum, weights.get(i));
            upTo[i] = sum;
        }
    }

    /** One of weight 0 never comes. */
    @Override
    public Route draw(RandomGenerator random) {
        int draw = random.nextInt(upTo[upTo.length - 1]);
        int index = 0;
        while (upTo[index] <= draw) {
            index++;
        }
        return routes[index];
    }
}
