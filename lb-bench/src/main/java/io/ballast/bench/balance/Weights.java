package io.ballast.bench.balance;

/** The distribution of the members' weights in a benchmark. */
public enum Weights {
    EQUAL(1),
    MIXED(5, 2, 2, 1);

    private final int[] cycle;

    Weights(int... cycle) {
        this.cycle = cycle;
    }

    int of(int member) {
        return cycle[member % cycle.length];
    }
}
