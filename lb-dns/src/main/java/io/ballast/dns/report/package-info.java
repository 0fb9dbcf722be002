/**
 * The statistics of the DNS frontend, each declared once with its metric and its field in the API: {@link
 * io.ballast.dns.report.QueryStatistics} and {@link io.ballast.dns.report.ForwardingStatistics}. A new counter of
 * {@link io.ballast.dns.stats.DnsCounter} is shown once it is in one of these two lists.
 */
@NullMarked
package io.ballast.dns.report;

import org.jspecify.annotations.NullMarked;
