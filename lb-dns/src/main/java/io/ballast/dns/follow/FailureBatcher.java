package io.ballast.dns.follow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tracks which names are failing, and which of them were reported. Guarded by the lock of its {@link AliasResolver}.
 */
final class FailureBatcher {

    /** The failing names, with the reason of each failure. */
    private final TreeMap<String, String> failing = new TreeMap<>();

    private final Set<String> reportedNames = new HashSet<>();

    /** Records whether the lookups of a name are failing. */
    void note(String name, boolean isFailing, String reason) {
        if (isFailing) {
            failing.putIfAbsent(name, reason);
        } else {
            failing.remove(name);
        }
    }

    /** Discards the state of a name that is no longer resolved. */
    void forget(String name) {
        failing.remove(name);
        reportedNames.remove(name);
    }

    /** Returns a task that reports the changes since the last report. These changes then count as reported. */
    Runnable takeReport(AliasFailureListener to) {
        Map<String, String> started = new TreeMap<>(failing);
        started.keySet().removeAll(reportedNames);
        List<String> recovered = new ArrayList<>(new TreeSet<>(reportedNames));
        recovered.removeAll(failing.keySet());
        reportedNames.clear();
        reportedNames.addAll(failing.keySet());
        return () -> {
            if (!started.isEmpty()) {
                to.onFailing(
                        List.copyOf(started.keySet()),
                        started.values().iterator().next());
            }
            if (!recovered.isEmpty()) {
                to.onRecovered(recovered);
            }
        };
    }
}
