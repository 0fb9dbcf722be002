/**
 * Fixtures that the tests of other modules also use, through the {@code test-jar} of this module.
 *
 * <p>{@link io.ballast.core.testing.Backends} and {@link io.ballast.core.testing.Pools} create backends,
 * members and pools. {@link io.ballast.core.testing.SeededRequest} represents a request.
 * {@link io.ballast.core.testing.ManualScheduler} lets a test control a control plane and its clock, and
 * {@link io.ballast.core.testing.ManualProbe} lets it set the results of checks.
 * {@link io.ballast.core.testing.MmdbFile} and {@link io.ballast.core.testing.MmdbSample} write databases for
 * geography.
 */
@NullMarked
package io.ballast.core.testing;

import org.jspecify.annotations.NullMarked;
