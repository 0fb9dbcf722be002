/**
 * Strategies: the rules for picking a backend.
 *
 * <p>A {@link io.ballast.core.balance.Strategy} is <em>compiled</em> for a set of {@link
 * io.ballast.core.balance.Member}s into a {@link io.ballast.core.balance.Picker}. The picker answers in
 * constant time and is immutable; each set of members gets its own picker. {@link
 * io.ballast.core.balance.Affinity} creates the keys that keep the requests of one client together. {@link
 * io.ballast.core.balance.SessionTokens} creates the tokens that bind a client to a backend. {@link
 * io.ballast.core.balance.CheckTimes} compares the times of health checks. Implementations are
 * package-private and created by {@link io.ballast.core.balance.Strategies}.
 */
@NullMarked
package io.ballast.core.balance;

import org.jspecify.annotations.NullMarked;
