package io.ballast.dns.follow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which names fail, and which of them have been told of. Guarded by the {@link FollowedNames} that it is of. */
final class FailureGathering {

    /** The names that fail, and why. */
    private final TreeMap<String, String> failing = new TreeMap<>();

    private final Set<String> told = new HashSet<>();

    /** A name fails, or does so no more. */
    void note(String name, boolean isFailing, String reason) {
        if (isFailing) {
            failing.putIfAbsent(name, reason);
        } else {
            failing.remove(name);
        }
    }

    /** A name is not followed any more. */
    void forget(String name) {
        failing.remove(name);
        told.remove(name);
    }

    /** What is different from what was told before; telling it is left to who calls. */
    Runnable take(FollowTrouble to) {
        Map<String, String> begun = new TreeMap<>(failing);
        begun.keySet().removeAll(told);
        List<String> recovered = new ArrayList<>(new TreeSet<>(told));
        recovered.removeAll(failing.keySet());
        told.clear();
        told.addAll(failing.keySet());
        return () -> {
            if (!begun.isEmpty()) {
                to.failing(
                        List.copyOf(begun.keySet()), begun.values().iterator().next());
            }
            if (!recovered.isEmpty()) {
                to.recovered(recovered);
            }
        };
    }
}
