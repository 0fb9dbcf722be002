package io.ballast.dns.forward;

import io.ballast.dns.forward.filter.OperatorRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The pauses and rules that operators have set, and the current filter settings of all groups.
 *
 * @param globalPause the pause of all groups, if any
 * @param groups the groups; the default group comes first
 * @param operatorRules the rules of operators
 */
public record FilterState(Optional<Pause> globalPause, List<Group> groups, List<OperatorRules.Rule> operatorRules) {

    /**
     * A pause of the filter.
     *
     * @param until the time at which the pause ends
     * @param operatorName the operator who paused the filter
     */
    public record Pause(Instant until, String operatorName) {}

    /**
     * The state of a group of clients.
     *
     * @param isFiltered whether any rule applies to the group now
     * @param lists names of the lists that apply now
     * @param pause the group's own pause; absent if the group is not paused separately
     */
    public record Group(String name, boolean isFiltered, List<String> lists, Optional<Pause> pause) {}
}
