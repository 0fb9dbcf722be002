package io.ballast.policy.share;

import io.ballast.core.hash.SipHash24;

/**
 * Divides limits among the nodes of a cluster. Thread safety: all methods may be called by any thread. They do not
 * block.
 */
public interface LimitExchange {

    /** For a process without a cluster: limits are not divided. */
    LimitExchange NONE = new LimitExchange() {
        @Override
        public SipHash24 hash(String limit) {
            throw new IllegalStateException("there is no cluster");
        }

        @Override
        public void join(SharedLimit limit) {
            throw new IllegalStateException("there is no cluster");
        }

        @Override
        public void leave(SharedLimit limit) {}
    };

    /**
     * Returns the hash of a limit's keys, which is the same on all nodes.
     *
     * @param limit the {@link SharedLimit#identity} of the limit
     */
    SipHash24 hash(String limit);

    /** Divides a limit from now on. */
    void join(SharedLimit limit);

    /** Stops dividing a limit; has no effect if the limit was not joined. */
    void leave(SharedLimit limit);
}
