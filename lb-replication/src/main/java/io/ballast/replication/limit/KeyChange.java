package io.ballast.replication.limit;

import org.jspecify.annotations.Nullable;

/** The change of this node's share for one key in a round. Confined to one thread. */
final class KeyChange {

    private final double[] returnedBacklog;
    private final double[] borrowedBacklog;
    private double lentBefore;
    private double lentNow;
    private double borrowedNow;
    private double borrowedMore;

    KeyChange(int rates) {
        this.returnedBacklog = new double[rates];
        this.borrowedBacklog = new double[rates];
    }

    /** @param returned the backlog of the borrower if it has returned a part of the share; otherwise null */
    void lentBefore(double share, float @Nullable [] returned) {
        lentBefore += share;
        for (int i = 0; returned != null && i < returnedBacklog.length; i++) {
            returnedBacklog[i] = Math.max(returnedBacklog[i], returned[i]);
        }
    }

    void lentNow(double share) {
        lentNow += share;
    }

    /** @param backlog the backlog of the lender */
    void borrowedNow(double share, double before, float[] backlog) {
        borrowedNow += share;
        double more = Math.max(0, share - before);
        borrowedMore += more;
        for (int i = 0; i < borrowedBacklog.length; i++) {
            borrowedBacklog[i] += more * (i < backlog.length ? backlog[i] : 1);
        }
    }

    /** The share of its own part that this node uses; above 0 also while the part is lent. */
    private static double own(double base, double lent) {
        return Math.max(LimitDivision.FLOOR * base, base - lent);
    }

    private double returned() {
        return Math.max(0, lentBefore - lentNow);
    }

    /** The share of this node from now on. */
    double share(double base) {
        return own(base, lentNow) + borrowedNow;
    }

    boolean hasGain() {
        return returned() + borrowedMore > 0;
    }

    /**
     * Returns the backlog of this node with the backlogs of the gained parts. Requests that the node admitted while its
     * part was lent stay in the backlog, so that lending again and again does not permit more requests.
     */
    float[] backlog(double base, float[] before) {
        double share = share(base);
        double kept = Math.min(own(base, lentBefore), own(base, lentNow)) + borrowedNow - borrowedMore;
        float[] after = new float[before.length];
        for (int i = 0; i < before.length; i++) {
            after[i] = (float) ((kept * before[i] + returned() * returnedBacklog[i] + borrowedBacklog[i]) / share);
        }
        return after;
    }
}
