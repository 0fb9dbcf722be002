package io.ballast.http.policy;

import java.util.Arrays;

/** The steps of the policies that have asked for the response of a request. Event-loop confined. */
final class ResponseSteps {

    private int[] steps = new int[2];
    private int count;

    void clear() {
        count = 0;
    }

    /** Adds a step; does nothing if it was added before. */
    void add(int step) {
        for (int i = 0; i < count; i++) {
            if (steps[i] == step) {
                return;
            }
        }
        if (count == steps.length) {
            steps = Arrays.copyOf(steps, 2 * count);
        }
        steps[count++] = step;
    }

    int count() {
        return count;
    }

    /** Removes all steps except the first {@code remaining}. */
    void truncate(int remaining) {
        count = remaining;
    }

    int step(int index) {
        return steps[index];
    }

    /**
     * Sorts the steps in the order in which their policies evaluate the response: filters, which are nearest to the
     * backend, then caches, then all other policies in the order of the chain.
     */
    void sort(PolicyChain chain) {
        for (int i = 1; i < count; i++) {
            int step = steps[i];
            int at = i;
            for (; at > 0 && rank(chain, steps[at - 1]) > rank(chain, step); at--) {
                steps[at] = steps[at - 1];
            }
            steps[at] = step;
        }
    }

    private static int rank(PolicyChain chain, int step) {
        return switch (chain.step(step).policy().phase()) {
            case FILTER -> 0;
            case CACHE -> 1;
            default -> 2;
        };
    }
}
