/**
 * Secrets that the nodes of a cluster share: their kinds and rotation ({@link io.ballast.cluster.secret.SecretSet}),
 * and their encryption ({@link io.ballast.cluster.secret.SecretCipher}).
 */
@NullMarked
package io.ballast.cluster.secret;

import org.jspecify.annotations.NullMarked;
