/**
 * Resolves alias targets: names outside our zones whose addresses services return. The forwarder looks
 * these names up periodically, independent of client queries.
 *
 * <p>Start with {@link io.ballast.dns.follow.AliasResolver}, which holds the addresses, and {@link
 * io.ballast.dns.follow.FollowState}, which defines how long they are used.
 */
@NullMarked
package io.ballast.dns.follow;

import org.jspecify.annotations.NullMarked;
