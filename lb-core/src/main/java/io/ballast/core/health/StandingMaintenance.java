package io.ballast.core.health;

import io.ballast.core.backend.OrderTerms;

/**
 * A whole pool that an operator has put under maintenance.
 *
 * @param pool its name
 */
public record StandingMaintenance(String pool, OrderTerms terms) {}
