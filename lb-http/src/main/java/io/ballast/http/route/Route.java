package io.ballast.http.route;

import io.ballast.core.pool.Pool;
import io.ballast.http.header.HeadEdits;

/** Where a request goes. */
public sealed interface Route {

    /** What happens to the heads of its requests and responses. */
    HeadEdits edits();

    /** To a backend of a pool. */
    record ToPool(Pool pool, HeadEdits edits) implements Route {}

    /** To nobody: the answer is known beforehand. */
    record Fixed(FixedResponse response, HeadEdits edits) implements Route {}
}
