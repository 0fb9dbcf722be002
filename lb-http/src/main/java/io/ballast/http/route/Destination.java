package io.ballast.http.route;

import java.util.random.RandomGenerator;

/** What a table holds for a route: the route itself, or several of which one is drawn. Immutable. */
sealed interface Destination permits Route, Split {

    /** Where one request goes. */
    Route draw(RandomGenerator random);
}
