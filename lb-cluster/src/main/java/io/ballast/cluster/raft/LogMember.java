package io.ballast.cluster.raft;

import io.microraft.RaftEndpoint;
import java.util.UUID;

/**
 * A copy of the log. A node that lost its files comes back with another copy, which has no votes and no promises of the first
 * one. Immutable.
 *
 * @param node the name of the node
 * @param copy a random number, made when the directory of the log was created
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
