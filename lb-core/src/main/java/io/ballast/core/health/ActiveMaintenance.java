package io.ballast.core.health;

import io.ballast.core.backend.OverrideTerms;

/**
 * A whole pool that an operator has put under maintenance.
 *
 * @param pool its name
 */
public record ActiveMaintenance(String pool, OverrideTerms terms) {}
