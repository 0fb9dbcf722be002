/**
 * A memory budget for bytes in transit, shared by all event loops. {@link
 * io.ballast.net.budget.TransitBudget} measures the memory use, and {@link
 * io.ballast.net.budget.TransitShare} derives one event loop's limit per connection. If the budget is still
 * exceeded, {@link io.ballast.net.budget.ConnectionShedding} closes connections.
 */
@NullMarked
package io.ballast.net.budget;

import org.jspecify.annotations.NullMarked;
