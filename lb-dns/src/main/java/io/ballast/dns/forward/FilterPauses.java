package io.ballast.dns.forward;

import io.ballast.dns.forward.FilterState.Pause;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The client groups whose filter is paused, with their pauses. Guarded by the lock of the {@link
 * FilterControl} that owns it.
 */
final class FilterPauses {

    /** Key for the pause of all groups. */
    private static final String ALL = "";

    private final Map<String, Pause> pauses = new HashMap<>();

    void put(Optional<String> group, Pause pause) {
        pauses.put(group.orElse(ALL), pause);
    }

    /** Ends the pause of a group, or all pauses if no group is given. Returns whether a pause was ended. */
    boolean remove(Optional<String> group) {
        if (group.isPresent()) {
            return pauses.remove(group.get()) != null;
        }
        boolean wasPaused = !pauses.isEmpty();
        pauses.clear();
        return wasPaused;
    }

    void expire(Instant now) {
        pauses.values().removeIf(pause -> !pause.until().isAfter(now));
    }

    Optional<Pause> globalPause() {
        return Optional.ofNullable(pauses.get(ALL));
    }

    Optional<Pause> groupPause(String group) {
        return Optional.ofNullable(pauses.get(group));
    }

    boolean isPaused(String group) {
        return pauses.containsKey(ALL) || pauses.containsKey(group);
    }

    /** Time at which the first pause ends; {@link Instant#MAX} if there is none. */
    Instant earliestEnd() {
        return pauses.values().stream()
                .map(Pause::until)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }
}
