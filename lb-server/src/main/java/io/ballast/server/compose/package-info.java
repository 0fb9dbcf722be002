/**
 * The composition root: {@link io.ballast.server.compose.Balancer} creates all parts of a process and connects them.
 */
@NullMarked
package io.ballast.server.compose;

import org.jspecify.annotations.NullMarked;
