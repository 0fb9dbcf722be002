package io.ballast.core.health;

import io.ballast.core.backend.Order;

/**
 * An order that is in force, and for whom.
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
