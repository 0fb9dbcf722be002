package io.ballast.http.route.destination;

import java.util.random.RandomGenerator;

/** The compiled action of a configured route: one {@link Route}, or several with weights. Immutable. */
public sealed interface Destination permits Route, WeightedRoutes {

    /** Selects the route of one request. */
    Route select(RandomGenerator random);
}
