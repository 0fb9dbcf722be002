package io.ballast.core.balance;

import io.ballast.core.backend.Backend;

/**
 * A backend in its role in a pool.
 *
 * @param backend which
 * @param weight its share relative to its peers; 1 or more (a weight of 0 keeps a backend out of the members)
 * @param priority tier for failover; lower is preferred
 */
public record Member(Backend backend, int weight, int priority) {}
