package io.ballast.core.health;

import io.ballast.core.backend.OverrideTerms;

/**
 * The maintenance of a whole pool, set by an operator.
 *
 * @param pool the name of the pool
 */
public record ActiveMaintenance(String pool, OverrideTerms terms) {}
