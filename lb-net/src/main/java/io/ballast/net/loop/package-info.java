/**
 * Event loops: {@link io.ballast.net.loop.FrontendLoops} are those of a frontend,
 * {@link io.ballast.net.loop.FrontendLoop} is one with its clock and deadlines,
 * {@link io.ballast.net.loop.LoopHeartbeat} creates its heartbeat.
 */
@NullMarked
package io.ballast.net.loop;

import org.jspecify.annotations.NullMarked;
