/**
 * What all sources that ask elsewhere share: {@link io.ballast.server.discovery.remote.SourceThread} asks round after round at the
 * {@link io.ballast.server.discovery.remote.Pacing} of its source; {@link io.ballast.server.discovery.remote.HttpAsker} asks over
 * HTTP with deadlines and bounds; {@link io.ballast.server.discovery.remote.BackendSet} gathers what is found.
 */
@NullMarked
package io.ballast.server.discovery.remote;

import org.jspecify.annotations.NullMarked;
