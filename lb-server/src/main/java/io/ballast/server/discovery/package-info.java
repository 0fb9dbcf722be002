/** Backends that come and go: where they are told of, and how a pool follows. */
@NullMarked
package io.ballast.server.discovery;

import org.jspecify.annotations.NullMarked;
