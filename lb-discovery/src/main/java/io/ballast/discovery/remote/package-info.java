/**
 * What all sources that ask elsewhere share: {@link io.ballast.discovery.remote.SourceThread} asks round after round at the
 * {@link io.ballast.discovery.remote.Pacing} of its source; {@link io.ballast.discovery.remote.HttpAsker} asks over
 * HTTP with deadlines and bounds; {@link io.ballast.discovery.remote.BackendSet} gathers what is found.
 */
@NullMarked
package io.ballast.discovery.remote;

import org.jspecify.annotations.NullMarked;
