package io.ballast.http.route;

import io.ballast.core.pool.Pool;

/** Where a request goes. */
public sealed interface Route {

    /** To a backend of a pool. */
    record ToPool(Pool pool) implements Route {}

    /** To nobody: the answer is known beforehand. */
    record Fixed(FixedResponse response) implements Route {}
}
