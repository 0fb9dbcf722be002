/**
 * Votes: the nodes of a cluster report to each other whether they reach a backend.
 * {@link io.ballast.core.vote.VoteCount} is the rule that turns votes into a verdict,
 * {@link io.ballast.core.vote.BackendVotes} applies it to one backend of this node, and
 * {@link io.ballast.core.vote.VoteExchange} is implemented by the cluster.
 */
@NullMarked
package io.ballast.core.vote;

import org.jspecify.annotations.NullMarked;
