/** The parts that {@code lb demo} adds to the balancer: small backends, a configuration, and instructions. */
@NullMarked
package io.ballast.server.demo;

import org.jspecify.annotations.NullMarked;
