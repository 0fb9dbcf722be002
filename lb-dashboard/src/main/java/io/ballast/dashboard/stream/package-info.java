/**
 * The event stream to browsers: {@link io.ballast.dashboard.stream.StreamHub} sends changes to every connected page.
 *
 * <p>Everything is confined to the event loop of the dashboard.
 */
@NullMarked
package io.ballast.dashboard.stream;

import org.jspecify.annotations.NullMarked;
