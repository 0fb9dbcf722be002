/** What several tests of this module need: configurations, topologies whose health a test sets, and queries. */
@NullMarked
package io.ballast.dns.testing;

import org.jspecify.annotations.NullMarked;
