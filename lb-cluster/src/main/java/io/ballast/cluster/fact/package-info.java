/**
 * Facts: small texts with a key, which all nodes of a cluster share. A change takes effect on its node at once and is
 * pending until the {@linkplain io.ballast.cluster.log.FactLog log} has committed it.
 */
@NullMarked
package io.ballast.cluster.fact;

import org.jspecify.annotations.NullMarked;
