/**
 * Common parts of remote sources: {@link io.ballast.discovery.remote.SourceThread} polls at the {@link
 * io.ballast.discovery.remote.Pacing} of its source; {@link io.ballast.discovery.remote.HttpFetcher} sends HTTP requests with
 * deadlines and bounds; {@link io.ballast.discovery.remote.BackendSet} collects the backends.
 */
@NullMarked
package io.ballast.discovery.remote;

import org.jspecify.annotations.NullMarked;
