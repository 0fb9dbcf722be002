/**
 * Names outside the zones whose addresses services answer with: the forwarder asks for them again and again, beside all queries.
 *
 * <p>Start with {@link io.ballast.dns.follow.FollowedNames}, which knows the addresses, and {@link
 * io.ballast.dns.follow.FollowState}, which says for how long they are believed.
 */
@NullMarked
package io.ballast.dns.follow;

import org.jspecify.annotations.NullMarked;
