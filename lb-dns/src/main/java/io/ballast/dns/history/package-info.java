/**
 * Query statistics of the last 24 hours, in bounded memory. {@link io.ballast.dns.history.DnsHistory} receives queries
 * from the query log, and returns its data as a {@link io.ballast.dns.history.HistoryView}; {@link
 * io.ballast.dns.history.QuerySample} samples recent queries.
 */
@NullMarked
package io.ballast.dns.history;

import org.jspecify.annotations.NullMarked;
