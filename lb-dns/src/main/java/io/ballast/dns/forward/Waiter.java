package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.cache.KeptAnswer;
import io.ballast.dns.forward.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

/** Who waits for the answer to a question. One of the methods is called, once, on the event loop that asks. */
public interface Waiter {

    /** A number that tells clients apart, by which each has its share of a resolver; 0 for a question of this process itself. */
    default long client() {
        return Upstreams.NO_CLIENT;
    }

    /**
     * A resolver has answered.
     *
     * @param by the resolver; null if it has answered another who asked the same
     */
    void answered(KeptAnswer answer, @Nullable Backend by);

    /** None has in time; this one is what was true some time ago. */
    void stale(KeptAnswer answer);

    /** None has in time, and nothing is known. */
    void failed();
}
