/** What {@code lb demo} puts around the balancer: small backends, a configuration, and an invitation. */
@NullMarked
package io.ballast.server.demo;

import org.jspecify.annotations.NullMarked;
