package io.ballast.cluster.log;

import java.nio.file.Path;
import java.util.List;

/**
 * The configuration of a copy of the log. Immutable.
 *
 * @param node the name of this node
 * @param voters the names of the voters: 1, 3 or 5. Every other node is a learner: it gets all facts, but a commit does
 *     not wait for it
 * @param directory the directory of the log, which only this process uses
 * @param servesClients false for a witness. A witness gives the leadership to a voter that serves clients, because the
 *     leader also does work for such nodes, for example orders certificates
 */
public record FactLogConfig(String node, List<String> voters, Path directory, boolean servesClients) {

    private static final int MAX_VOTERS = 5;

    public FactLogConfig {
        voters = List.copyOf(voters);
        if (voters.size() % 2 == 0 || voters.size() > MAX_VOTERS) {
            throw new IllegalArgumentException(voters.size() + " voters (expected: 1, 3 or 5)");
        }
    }

    /** Creates the configuration of a node that serves clients. */
    public FactLogConfig(String node, List<String> voters, Path directory) {
        this(node, voters, directory, /* servesClients= */ true);
    }
}
