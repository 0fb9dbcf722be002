/**
 * The keys that verify tokens: {@link io.ballast.policy.jwt.key.KeySet} selects the keys that match a token,
 * {@link io.ballast.policy.jwt.key.KeySource} holds the current set, and
 * {@link io.ballast.policy.jwt.key.VerificationKey} verifies signatures.
 */
@NullMarked
package io.ballast.policy.jwt.key;

import org.jspecify.annotations.NullMarked;
