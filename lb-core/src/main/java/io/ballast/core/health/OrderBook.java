package io.ballast.core.health;

import java.util.List;

/** All active overrides of operators, as saved for the next start. Immutable. */
public record OrderBook(List<StandingOrder> orders, List<StandingWeight> weights, List<StandingMaintenance> pools) {

    public static final OrderBook EMPTY = new OrderBook(List.of(), List.of(), List.of());

    public OrderBook {
        orders = List.copyOf(orders);
        weights = List.copyOf(weights);
        pools = List.copyOf(pools);
    }

    /** How many there are. */
    int size() {
        return orders.size() + weights.size() + pools.size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }
}
