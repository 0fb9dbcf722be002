/** Event loops: {@link io.ballast.net.loop.LoopHeartbeat} makes the sign of life of one. */
@NullMarked
package io.ballast.net.loop;

import org.jspecify.annotations.NullMarked;
