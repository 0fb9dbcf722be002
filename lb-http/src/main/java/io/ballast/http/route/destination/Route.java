package io.ballast.http.route.destination;

import io.ballast.core.pool.Pool;
import io.ballast.http.header.HeadEdits;
import io.ballast.http.route.key.RequestKey;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Where a request goes. */
public sealed interface Route extends Destination {

    /** What happens to the heads of its requests and responses. */
    HeadEdits edits();

    @Override
    default Route draw(RandomGenerator random) {
        return this;
    }

    /**
     * To a backend of a pool.
     *
     * @param generation that of the topology which it is part of, by which the first backend of a request is picked
     * @param rewrite how the path is changed on the way; null if it is not
     * @param key what ties a request to a backend of the pool; null if that is the client's address, or nothing
     */
    record ToPool(
            Pool pool,
            int generation,
            @Nullable PathRewriter rewrite,
            HeadEdits edits,
            @Nullable RequestKey key) implements Route {}

    /** To no backend: the answer is known beforehand. */
    record Fixed(FixedResponse response, HeadEdits edits) implements Route {}

    /** Nowhere: its path can be read in more than one way, and the listener does not allow that. */
    record Refused(HeadEdits edits) implements Route {}

    /** To another address, by way of the client. */
    record Redirect(Redirection redirection, HeadEdits edits) implements Route {}
}
