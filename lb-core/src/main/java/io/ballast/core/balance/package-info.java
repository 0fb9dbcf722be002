/**
 * Strategies: the rules by which a backend is picked.
 *
 * <p>A {@link io.ballast.core.balance.Strategy} is <em>compiled</em> for a set of
 * {@link io.ballast.core.balance.Member}s into a {@link io.ballast.core.balance.Picker}, which answers in constant time
 * and is never changed: another set of members gets another picker. {@link io.ballast.core.balance.Affinity} makes the
 * keys by which requests of one client stay together, {@link io.ballast.core.balance.SessionTokens} what clients show
 * to do so, {@link io.ballast.core.balance.CheckTimes} what checks say of how near a backend is. Implementations are
 * package-private, made by {@link io.ballast.core.balance.Strategies}.
 */
@NullMarked
package io.ballast.core.balance;

import org.jspecify.annotations.NullMarked;
