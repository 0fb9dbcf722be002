/** The configuration of a cluster. */
@NullMarked
package io.ballast.cluster.config;

import org.jspecify.annotations.NullMarked;
