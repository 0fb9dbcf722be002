package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What strategies that ask one group of members after the other have in common. */
final class Groups {

    private Groups() {}

    /**
     * The members of the groups that have a healthy one, in their order. A group of which nobody is healthy would take the
     * requests of a less preferred one that can serve.
     *
     * @param groupOf the group that a member belongs to
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
