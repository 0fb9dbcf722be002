/** A dashboard over a topology in memory: {@link io.ballast.dashboard.testing.DashboardFixture}. */
@NullMarked
package io.ballast.dashboard.testing;

import org.jspecify.annotations.NullMarked;
