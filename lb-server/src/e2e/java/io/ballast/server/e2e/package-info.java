/** The web page in a real browser, over the product as it runs: {@link io.ballast.server.e2e.DashboardE2eIT}. */
@NullMarked
package io.ballast.server.e2e;

import org.jspecify.annotations.NullMarked;
