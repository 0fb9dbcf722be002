package io.ballast.policy.rate;

import io.ballast.policy.config.Rate;
import io.ballast.policy.share.KeyShares;
import io.ballast.policy.share.SharedLimit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts requests by key, and admits requests up to the share of the limit that the cluster assigns to this node. A
 * share divides the rate and the burst of a key, but a key without backlog may always send one request.
 *
 * <p>Thread safety: the same as that of {@link SharedLimit}; requests may be charged by any thread without locks. Cost
 * of a request: that of {@link RequestRateTable}, one look-up in {@link KeyShares}, and one more atomic update;
 * allocates nothing.
 */
public final class SharedRateTable implements SharedLimit {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final String identity;
    private final RateWindow[] windows;
    private final RequestRateTable table;
    private final LongSupplier nanoTime;
    private volatile KeyShares shares;

    /**
     * @param identity see {@link #identity}
     * @param keys the maximum number of keys
     * @param allowsWhenFull whether a request conforms if its key cannot be added
     * @param nanoTime the monotonic clock; see {@link System#nanoTime}
     */
    public SharedRateTable(String identity, List<Rate> rates, int keys, boolean allowsWhenFull, LongSupplier nanoTime) {
        this.identity = identity;
        this.windows = rates.stream().map(RateWindow::of).toArray(RateWindow[]::new);
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        this.table = new RequestRateTable(List.of(windows), keys, allowsWhenFull, now, /* countsRequests= */ true);
        this.shares = new KeyShares(/* usualShare= */ 1, Map.of(), now);
    }

    /** Like {@link RequestRateTable#charge(long, long, long)}. */
    public long charge(long key, long now, long maxDelay) {
        return table.chargeShare(key, now, maxDelay, shares.cost(key, now));
    }

    /** Refunds a charged request. */
    public void refund(long key) {
        table.refundShare(key, shares.cost(key, nanoTime.getAsLong()));
    }

    boolean contains(long key) {
        return table.contains(key);
    }

    RequestRateTable table() {
        return table;
    }

    /** Returns the reciprocal of this node's share of a key. */
    public double cost(long key, long now) {
        return shares.cost(key, now);
    }

    /**
     * Returns the number of nodes that share the limit, and the number of keys for which this node lends or borrows a
     * part.
     */
    Map<String, Long> state() {
        KeyShares now = shares;
        return Map.of("nodes", (long) now.nodes(), "moved_keys", (long) now.size());
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public int rates() {
        return windows.length;
    }

    @Override
    public double requestsPerSecond() {
        double lowest = Double.MAX_VALUE;
        for (RateWindow window : windows) {
            lowest = Math.min(lowest, NANOS_PER_SECOND / window.increment());
        }
        return lowest;
    }

    @Override
    public void takeRequests(RequestVisitor visitor) {
        table.takeRequests(visitor);
    }

    @Override
    public float[] backlog(long key) {
        long now = nanoTime.getAsLong();
        float[] backlog = new float[windows.length];
        for (int i = 0; i < windows.length; i++) {
            backlog[i] = (float) table.backlog(key, i, now) / windows[i].tolerance();
        }
        return backlog;
    }

    @Override
    public void setBacklog(long key, float[] backlog) {
        long now = nanoTime.getAsLong();
        for (int i = 0; i < windows.length; i++) {
            long wanted = (long) ((double) backlog[i] * windows[i].tolerance());
            long difference = wanted - table.backlog(key, i, now);
            if (difference != 0) {
                table.changeBacklog(key, i, difference, now);
            }
        }
    }

    @Override
    public void use(KeyShares next) {
        shares = next;
    }
}
