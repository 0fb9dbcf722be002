package io.ballast.core.config.vote;

import io.ballast.core.Checks;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The rule that determines how many nodes must reach a backend for the backend to be up. Only nodes that check the
 * backend count. Immutable.
 *
 * @param kind the rule
 * @param nodes the number of nodes with {@link Kind#COUNT}; otherwise 0
 */
public record Quorum(Kind kind, int nodes) {

    /** Each node uses its own checks only. */
    public static final Quorum LOCAL = new Quorum(Kind.LOCAL, 0);

    /**
     * At least half of the nodes must reach the backend. So the backend is down if more than half of them do not reach
     * it.
     */
    public static final Quorum MAJORITY = new Quorum(Kind.MAJORITY, 0);

    /** At least one node must reach the backend. */
    public static final Quorum ANY = new Quorum(Kind.ANY, 0);

    /** All nodes must reach the backend. */
    public static final Quorum ALL = new Quorum(Kind.ALL, 0);

    /** The largest number of nodes in {@link #count}. */
    public static final int MAX_NODES = 256;

    /** The rules for the number of nodes that must reach the backend. */
    public enum Kind {
        LOCAL,
        MAJORITY,
        ANY,
        ALL,
        COUNT
    }

    public Quorum {
        Checks.that(
                kind == Kind.COUNT ? nodes >= 1 && nodes <= MAX_NODES : nodes == 0, "quorum", nodes, "1.." + MAX_NODES);
    }

    /**
     * Returns the rule that at least this many nodes must reach the backend, or all nodes that have voted if they are
     * fewer.
     */
    public static Quorum count(int nodes) {
        return new Quorum(Kind.COUNT, nodes);
    }

    /** @param text the value in the configuration: a word, or a number from 1 to {@value #MAX_NODES} */
    public static Quorum of(String text) {
        return Stream.of(LOCAL, MAJORITY, ANY, ALL)
                .filter(each -> each.toString().equals(text))
                .findFirst()
                .orElseGet(() -> count(Integer.parseInt(text)));
    }

    /** Returns whether only the checks of the node itself count. */
    public boolean isLocal() {
        return kind == Kind.LOCAL;
    }

    /**
     * Returns the number of "up" votes that a backend needs to be up.
     *
     * @param votes the number of all votes, at least 1
     */
    public int needed(int votes) {
        return switch (kind) {
            case MAJORITY -> (votes + 1) / 2;
            case LOCAL, ANY -> 1;
            case ALL -> votes;
            case COUNT -> Math.min(nodes, votes);
        };
    }

    /** The value in the configuration. */
    @Override
    public String toString() {
        return kind == Kind.COUNT ? Integer.toString(nodes) : kind.name().toLowerCase(Locale.ROOT);
    }
}
