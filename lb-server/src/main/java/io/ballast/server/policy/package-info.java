/** Connects policies with other parts of the process: the databases of locations, and the operators of caches. */
@NullMarked
package io.ballast.server.policy;

import org.jspecify.annotations.NullMarked;
