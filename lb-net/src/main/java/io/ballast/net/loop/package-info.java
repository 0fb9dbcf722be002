/**
 * Event loops: {@link io.ballast.net.loop.FrontendLoops} are the event loops of a frontend,
 * {@link io.ballast.net.loop.FrontendLoop} is one event loop with its clock and deadlines, and
 * {@link io.ballast.net.loop.LoopHeartbeat} creates its heartbeat.
 */
@NullMarked
package io.ballast.net.loop;

import org.jspecify.annotations.NullMarked;
