package io.ballast.agent.client;

import java.util.OptionalInt;

/** The share of failed checks among the last {@value #CHECKS}. Confined to one thread. */
final class FailedShare {

    static final int CHECKS = 20;

    private final boolean[] failed = new boolean[CHECKS];
    private int count;
    private int next;

    void add(boolean ok) {
        failed[next] = !ok;
        next = (next + 1) % CHECKS;
        count = Math.min(CHECKS, count + 1);
    }

    /** Returns the share in percent; absent before the first check. */
    OptionalInt percent() {
        if (count == 0) {
            return OptionalInt.empty();
        }
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += failed[i] ? 1 : 0;
        }
        return OptionalInt.of(100 * sum / count);
    }
}
