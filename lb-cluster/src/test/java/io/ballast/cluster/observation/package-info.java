/** Tests of observations. */
@NullMarked
package io.ballast.cluster.observation;

import org.jspecify.annotations.NullMarked;
