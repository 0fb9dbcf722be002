package io.ballast.http.route.destination;

import java.util.random.RandomGenerator;

/** What a table holds for a route: the route itself, or several of which one is drawn. Immutable. */
public sealed interface Destination permits Route, Split {

    /** Where one request goes. */
    Route draw(RandomGenerator random);
}
