package io.ballast.cluster.raft;

import io.microraft.RaftEndpoint;
import java.util.UUID;

/**
 * Identifies a copy of the log. A node that has lost its files returns with another copy, because the new copy does not
 * know the votes and commands that the lost copy has acknowledged. Immutable.
 *
 * @param node the name of the node
 * @param copy a random number, generated when the directory of the log was created
 */
public record LogMember(String node, UUID copy) implements RaftEndpoint {

    @Override
    public Object getId() {
        return node + "/" + copy;
    }

    @Override
    public String toString() {
        return node;
    }
}
