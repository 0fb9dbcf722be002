/**
 * The keys of {@code dns.forward}: upstreams, cache, filters, client groups.
 */
@NullMarked
package io.ballast.config.keys.forward;

import org.jspecify.annotations.NullMarked;
