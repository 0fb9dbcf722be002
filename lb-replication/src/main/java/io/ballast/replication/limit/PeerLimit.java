package io.ballast.replication.limit;

import io.ballast.replication.limit.LimitMessage.Entry;
import io.ballast.replication.limit.LimitMessage.Part;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The loans between this node and another node for one limit. Confined to one thread.
 *
 * <p>A loan ends at the borrower earlier than at the lender, even if messages are lost or late: see {@link
 * #LEASE_NANOS}.
 */
final class PeerLimit {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /**
     * The duration of a loan. The borrower counts from the time at which it sent the round that the lender echoes; the
     * lender counts from the later time at which it received this round.
     */
    static final long LEASE_NANOS = 4 * NANOS_PER_SECOND;

    /**
     * The time for which the lender still treats a loan as lent after the loan has ended for the borrower. It covers a
     * late round of the borrower.
     */
    private static final long GRACE_NANOS = LimitRounds.MAX_ROUND_NANOS;

    /** The loans in one message of the lender, which the borrower may use. */
    private record Sent(long round, long endNanos, Map<Long, Float> loans) {}

    private final Deque<Sent> sent = new ArrayDeque<>();
    private Map<Long, Entry> demands = Map.of();
    private Map<Long, Entry> loans = Map.of();
    private long loansEndNanos;
    private Map<Long, Float> lentBefore = Map.of();
    private Map<Long, Float> borrowedBefore = Map.of();

    /** Receives the peer's part of a message. */
    void received(Part part, long endNanos) {
        demands = byKey(part.demands());
        loans = byKey(part.loans());
        loansEndNanos = endNanos;
    }

    private static Map<Long, Entry> byKey(List<Entry> entries) {
        Map<Long, Entry> all = new HashMap<>();
        entries.forEach(entry -> all.put(entry.key(), entry));
        return all;
    }

    /** Called when the peer has applied a round, which replaced the loans of older rounds. */
    void applied(long round) {
        sent.removeIf(each -> each.round() < round);
    }

    /** Called when the process of the peer has ended, or the peer no longer has the limit. */
    void reset() {
        sent.clear();
        forgetMessages();
    }

    /**
     * Called when the peer has sent nothing for some time, so that its demands are outdated. Loans are kept until their
     * lease expires.
     */
    void forgetMessages() {
        demands = Map.of();
        loans = Map.of();
    }

    Map<Long, Entry> demands() {
        return demands;
    }

    /** The backlog of the peer; a full backlog if it is unknown. */
    float[] backlog(long key, int rates) {
        Entry demand = demands.get(key);
        if (demand != null && demand.backlog().length == rates) {
            return demand.backlog();
        }
        float[] full = new float[rates];
        Arrays.fill(full, 1);
        return full;
    }

    /** @param heardNanos when the round that the message echoes was received */
    void lend(long round, long heardNanos, Map<Long, Float> shares) {
        sent.addLast(new Sent(round, heardNanos + LEASE_NANOS + GRACE_NANOS, shares));
    }

    /** The shares of this node's part that the peer may use now, by key. */
    Map<Long, Float> lent(long now) {
        sent.removeIf(each -> now - each.endNanos() > 0);
        Map<Long, Float> most = new HashMap<>();
        sent.forEach(each -> each.loans().forEach((key, share) -> most.merge(key, share, Math::max)));
        return most;
    }

    /** The shares of the peer's part that this node may use until its next round, by key. */
    Map<Long, Entry> borrowed(long now) {
        return now - loansEndNanos > 0 ? Map.of() : loans;
    }

    Map<Long, Float> lentBefore() {
        return lentBefore;
    }

    Map<Long, Float> borrowedBefore() {
        return borrowedBefore;
    }

    /** Ends a round with these loans in both directions. */
    void endRound(Map<Long, Float> lent, Map<Long, Entry> borrowed) {
        lentBefore = lent;
        Map<Long, Float> amounts = new HashMap<>();
        borrowed.forEach((key, entry) -> amounts.put(key, entry.amount()));
        borrowedBefore = amounts;
    }
}
