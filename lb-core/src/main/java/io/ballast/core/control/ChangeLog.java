package io.ballast.core.control;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Logs changes that can occur by the thousand when a rack or a network fails. The first {@value #MAX} changes
 * of a kind are logged separately. Further changes of this kind in the next {@value #WINDOW_SECONDS} s are
 * logged in one line with their number. There are few kinds: the number of pools times the number of states.
 *
 * <p>Thread safety: confined to the control thread.
 */
public final class ChangeLog {

    static final int MAX = 10;
    static final int WINDOW_SECONDS = 10;

    private final ControlPlane control;
    private final Map<String, Burst> bursts = new HashMap<>();

    private static final class Burst {
        private final Instant begin;
        private int count;
        private String last = "";

        Burst(Instant begin) {
            this.begin = begin;
        }
    }

    ChangeLog(ControlPlane control) {
        this.control = control;
    }

    /**
     * Logs a change immediately, or later in one line with other changes.
     *
     * @param kind changes of the same kind are counted together, for example {@code pool=web state=down}
     * @param line describes this change
     * @param log writes a line
     */
    public void add(String kind, String line, Consumer<String> log) {
        Instant now = control.clock().instant();
        Burst burst = bursts.get(kind);
        if (burst == null || (burst.count <= MAX && !now.isBefore(burst.begin.plusSeconds(WINDOW_SECONDS)))) {
            burst = new Burst(now);
            bursts.put(kind, burst);
        }
        burst.count++;
        burst.last = line;
        if (burst.count <= MAX) {
            log.accept(line);
        } else if (burst.count == MAX + 1) {
            control.schedule(() -> end(kind, log), Duration.ofSeconds(WINDOW_SECONDS));
        }
    }

    private void end(String kind, Consumer<String> log) {
        Burst over = bursts.remove(kind);
        if (over != null) {
            log.accept(kind + " msg=\"" + (over.count - MAX) + " more changes of this kind within " + WINDOW_SECONDS
                    + " s\" last=\"" + over.last.replace('"', '\'') + "\"");
        }
    }
}
