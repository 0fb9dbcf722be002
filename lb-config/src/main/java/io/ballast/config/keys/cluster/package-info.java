/** The keys of a cluster of several nodes. */
@NullMarked
package io.ballast.config.keys.cluster;

import org.jspecify.annotations.NullMarked;
