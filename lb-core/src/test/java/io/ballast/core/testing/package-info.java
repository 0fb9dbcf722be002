/**
 * Fixtures that the tests of other modules use too, through the {@code test-jar} of this module.
 *
 * <p>{@link io.ballast.core.testing.Backends} and {@link io.ballast.core.testing.Pools} make backends, members and
 * pools, {@link io.ballast.core.testing.SeededRequest} stands for a request, {@link
 * io.ballast.core.testing.ManualScheduler} drives a control plane and its clock by hand, {@link
 * io.ballast.core.testing.ManualProbe} is told what checks find, {@link io.ballast.core.testing.MmdbFile} and
 * {@link io.ballast.core.testing.MmdbSample} write databases for geography.
 */
@NullMarked
package io.ballast.core.testing;

import org.jspecify.annotations.NullMarked;
