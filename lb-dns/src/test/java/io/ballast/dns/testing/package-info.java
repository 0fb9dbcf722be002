/** Common test fixtures of this module: configurations, topologies with health set by the test, and queries. */
@NullMarked
package io.ballast.dns.testing;

import org.jspecify.annotations.NullMarked;
