package io.ballast.cluster.raft;

import java.util.Random;

/**
 * Increases the random delays between the elections of different nodes. MicroRaft extends an election timeout by less
 * than 100 of its milliseconds, which are only 20 ms here ({@link LogTime}). With such short delays, two candidates
 * could split the votes again and again.
 */
public final class ElectionRandom extends Random {

    private static final long serialVersionUID = 1L;
    private static final int FACTOR = 25;

    @Override
    public int nextInt(int bound) {
        return super.nextInt(FACTOR * bound);
    }
}
