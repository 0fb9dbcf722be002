package io.ballast.dns.forward;

import io.ballast.dns.forward.filter.OperatorRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The changes by operators, and the current filter settings of groups.
 *
 * @param paused the pause of all groups, if any
 * @param groups the groups; the default group comes first
 * @param added the rules of operators
 */
public record FilterState(Optional<Pause> paused, List<Group> groups, List<OperatorRules.Rule> added) {

    /**
     * A pause of the filter.
     *
     * @param until its end
     * @param who the operator
     */
    public record Pause(Instant until, String who) {}

    /**
     * A group of clients.
     *
     * @param isFiltered whether any rule counts for it now
     * @param lists names of the lists that count now
     * @param paused absent if it is not, for itself
     */
    public record Group(String name, boolean isFiltered, List<String> lists, Optional<Pause> paused) {}
}
