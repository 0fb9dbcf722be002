package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Common functions of strategies that try groups of members in order of preference. */
final class Groups {

    private Groups() {}

    /**
     * Returns the members of all groups that have at least one healthy member. A group without healthy members
     * could otherwise take requests from a less preferred group that can serve them.
     *
     * @param groupOf returns the group of a member
     */
    static <G> List<Member> withHealthy(
            List<Member> members, Set<Backend> healthy, Function<? super Member, ? extends G> groupOf) {
        Set<G> groups = members.stream()
                .filter(member -> healthy.contains(member.backend()))
                .map(groupOf)
                .collect(Collectors.toSet());
        return members.stream()
                .filter(member -> groups.contains(groupOf.apply(member)))
                .toList();
    }
}
