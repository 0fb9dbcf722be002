package io.ballast.core.health;

import io.ballast.core.backend.Order;

/**
 * An active override of a backend's state.
 *
 * @param pool name of the backend's pool
 * @param address as written in the configuration
 */
public record StandingOrder(String pool, String address, Order order) {

    /** Prints {@code pool/address}. */
    public String subject() {
        return pool + "/" + address;
    }
}
