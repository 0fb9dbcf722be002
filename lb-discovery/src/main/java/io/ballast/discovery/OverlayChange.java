package io.ballast.discovery;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes that one source caused in one pool, for the timeline.
 *
 * @param changed the number of backends whose weight or role changed
 */
record OverlayChange(SourceName source, int joined, int left, int changed) {

    /** Returns the changes per source between two overlays. Removed sources are not included. */
    static List<OverlayChange> of(Overlay before, Overlay next) {
        List<OverlayChange> changes = new ArrayList<>();
        next.reportedBackends().forEach((source, backends) -> {
            OverlayChange change = of(source, before.reportedBackends().getOrDefault(source, List.of()), backends);
            if (change.joined > 0 || change.left > 0 || change.changed > 0) {
                changes.add(change);
            }
        });
        return changes;
    }

    private static OverlayChange of(SourceName source, List<DiscoveredBackend> before, List<DiscoveredBackend> next) {
        Map<HostPort, DiscoveredBackend> known = new LinkedHashMap<>();
        before.forEach(each -> known.put(each.address(), each));
        int joined = 0;
        int changed = 0;
        for (DiscoveredBackend each : next) {
            DiscoveredBackend old = known.remove(each.address());
            if (old == null) {
                joined++;
            } else if (!old.equals(each)) {
                changed++;
            }
        }
        return new OverlayChange(source, joined, known.size(), changed);
    }

    /** Describes the change: {@code 3 backends joined, 1 left (dns app.internal)}. */
    String text() {
        List<String> parts = new ArrayList<>();
        add(parts, joined, "joined");
        add(parts, left, "left");
        add(parts, changed, "changed");
        return String.join(", ", parts) + " (" + source.label() + ")";
    }

    private static void add(List<String> parts, int count, String verb) {
        if (count > 0) {
            String noun = parts.isEmpty() ? (count == 1 ? " backend " : " backends ") : " ";
            parts.add(count + noun + verb);
        }
    }
}
