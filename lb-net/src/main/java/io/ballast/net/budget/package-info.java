/**
 * One budget for the octets in transit, over all event loops: {@link io.ballast.net.budget.TransitBudget} knows how much
 * there is, {@link io.ballast.net.budget.TransitShare} tells one event loop how much a connection may hold now, and
 * {@link io.ballast.net.budget.Shedding} closes connections if that was not enough.
 */
@NullMarked
package io.ballast.net.budget;

import org.jspecify.annotations.NullMarked;
