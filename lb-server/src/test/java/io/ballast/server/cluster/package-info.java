/** Tests of the cluster of a balancer. */
@NullMarked
package io.ballast.server.cluster;

import org.jspecify.annotations.NullMarked;
