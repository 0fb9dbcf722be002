package io.ballast.dns.forward;

import io.ballast.dns.forward.cache.KeptAnswer;

/** Who waits for the answer to a question. One of the methods is called, once, on the event loop that asks. */
public interface Waiter {

    /** A resolver has answered. */
    void answered(KeptAnswer answer);

    /** None has in time; this one is what was true some time ago. */
    void stale(KeptAnswer answer);

    /** None has in time, and nothing is known. */
    void failed();
}
