/**
 * Counters of the DNS frontend: {@link io.ballast.dns.stats.DnsStats} holds a value for each {@link
 * io.ballast.dns.stats.DnsCounter}, and {@link io.ballast.dns.stats.ZoneStats} counts by zone and service.
 */
@NullMarked
package io.ballast.dns.stats;

import org.jspecify.annotations.NullMarked;
