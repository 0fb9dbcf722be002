/**
 * What the DNS frontend counts: {@link io.ballast.dns.stats.DnsStats}, by the names of {@link
 * io.ballast.dns.stats.DnsCounter}, and {@link io.ballast.dns.stats.ZoneStats} by zone and service.
 */
@NullMarked
package io.ballast.dns.stats;

import org.jspecify.annotations.NullMarked;
