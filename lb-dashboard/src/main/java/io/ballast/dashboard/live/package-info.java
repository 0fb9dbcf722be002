/**
 * The numbers as they move: what is sampled once a second, what is remembered of it, and the stream of it to browsers.
 *
 * <p>{@link io.ballast.dashboard.live.LiveStats} samples everything; {@link io.ballast.dashboard.live.StreamHub} sends
 * what changed to every open page. All of it is confined to the dashboard's event loop.
 */
@NullMarked
package io.ballast.dashboard.live;

import org.jspecify.annotations.NullMarked;
