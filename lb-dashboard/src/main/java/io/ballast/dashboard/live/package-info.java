/**
 * Live statistics: the samples of every second, their history, and the event stream to browsers.
 *
 * <p>{@link io.ballast.dashboard.live.LiveStats} samples everything; {@link io.ballast.dashboard.live.StreamHub} sends
 * changes to every connected page. All of it is confined to the dashboard's event loop.
 */
@NullMarked
package io.ballast.dashboard.live;

import org.jspecify.annotations.NullMarked;
