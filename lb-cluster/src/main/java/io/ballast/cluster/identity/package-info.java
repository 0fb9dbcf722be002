/** The names and certificates of nodes. */
@NullMarked
package io.ballast.cluster.identity;

import org.jspecify.annotations.NullMarked;
