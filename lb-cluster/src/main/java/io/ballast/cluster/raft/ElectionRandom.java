package io.ballast.cluster.raft;

import java.util.Random;

/**
 * Spreads the elections of different nodes. MicroRaft extends the timeout of an election by less than 100 of its milliseconds,
 * which are 20 ms here ({@link LogTime}): two candidates would go on splitting the votes.
 */
public final class ElectionRandom extends Random {

    private static final long serialVersionUID = 1L;
    private static final int FACTOR = 25;

    @Override
    public int nextInt(int bound) {
        return super.nextInt(FACTOR * bound);
    }
}
