package io.ballast.dns.forward;

import io.ballast.dns.forward.filter.OperatorRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The changes by operators, and the current filter settings of groups.
 *
 * @param globalPause the pause of all groups, if any
 * @param groups the groups; the default group comes first
 * @param operatorRules the rules of operators
 */
public record FilterState(Optional<Pause> globalPause, List<Group> groups, List<OperatorRules.Rule> operatorRules) {

    /**
     * A pause of the filter.
     *
     * @param until its end
     * @param operatorName the operator
     */
    public record Pause(Instant until, String operatorName) {}

    /**
     * A group of clients.
     *
     * @param isFiltered whether any rule counts for it now
     * @param lists names of the lists that count now
     * @param pause absent if it is not, for itself
     */
    public record Group(String name, boolean isFiltered, List<String> lists, Optional<Pause> pause) {}
}
