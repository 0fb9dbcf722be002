/**
 * A memory budget for bytes in transit, shared by all event loops. {@link io.ballast.net.budget.TransitBudget} measures
 * it, {@link io.ballast.net.budget.TransitShare} derives one event loop's limit per connection, and
 * {@link io.ballast.net.budget.ConnectionShedding} closes connections if that was not enough.
 */
@NullMarked
package io.ballast.net.budget;

import org.jspecify.annotations.NullMarked;
