/**
 * Tests the web page of the running product in a real browser: {@link io.ballast.server.e2e.DashboardE2eIT}.
 */
@NullMarked
package io.ballast.server.e2e;

import org.jspecify.annotations.NullMarked;
