package io.ballast.dns.follow;

import java.util.List;

/** Is told of followed names that resolvers say nothing about any more. Called by the executor of {@link FollowedNames}. */
public interface FollowTrouble {

    /** Nobody is told. */
    FollowTrouble UNTOLD = new FollowTrouble() {
        @Override
        public void failing(List<String> names, String reason) {}

        @Override
        public void recovered(List<String> names) {}
    };

    /**
     * Some have come to the end of their TTL, and have not been answered since.
     *
     * @param names in alphabetical order, at least one
     * @param reason of the first one, in words
     */
    void failing(List<String> names, String reason);

    /** Some are answered again. */
    void recovered(List<String> names);
}
