package io.ballast.acme.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Limits the number of orders in any hour, so that an error cannot use up the limits of a certificate authority. Confined
 * to one thread.
 */
final class OrderBudget {

    /** Let's Encrypt allows 300 orders of an account in three hours. */
    static final int MAX_PER_HOUR = 90;

    private static final Duration HOUR = Duration.ofHours(1);

    private final Deque<Instant> orders = new ArrayDeque<>();
    private final int maxPerHour;

    OrderBudget(int maxPerHour) {
        this.maxPerHour = maxPerHour;
    }

    /** Returns the earliest time of the next order, which is {@code now} if one is allowed. */
    Instant nextAt(Instant now) {
        while (!orders.isEmpty() && !orders.peekFirst().plus(HOUR).isAfter(now)) {
            orders.removeFirst();
        }
        return orders.size() < maxPerHour ? now : orders.getFirst().plus(HOUR);
    }

    /** Counts an order that begins now. */
    void add(Instant now) {
        orders.addLast(now);
    }
}
