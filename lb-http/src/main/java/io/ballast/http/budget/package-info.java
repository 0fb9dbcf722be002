/**
 * One budget for the octets in transit, over all event loops: {@link io.ballast.http.budget.TransitBudget} knows how much
 * there is, {@link io.ballast.http.budget.TransitShare} tells one event loop how much a connection may hold now, and
 * {@link io.ballast.http.budget.Shedding} closes connections if that was not enough.
 */
@NullMarked
package io.ballast.http.budget;

import org.jspecify.annotations.NullMarked;
