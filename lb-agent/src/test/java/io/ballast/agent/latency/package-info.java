/** Tests of the package with the same name. */
@NullMarked
package io.ballast.agent.latency;

import org.jspecify.annotations.NullMarked;
