/**
 * Live statistics: the samples of every second and their history.
 *
 * <p>{@link io.ballast.dashboard.live.LiveStats} takes all samples. Everything is confined to the event loop of the dashboard.
 */
@NullMarked
package io.ballast.dashboard.live;

import org.jspecify.annotations.NullMarked;
