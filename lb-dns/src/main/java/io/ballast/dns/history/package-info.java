/**
 * What was asked and answered over the last 24 hours, in bounded memory. Start with {@link io.ballast.dns.history.DnsHistory},
 * which the query log feeds; {@link io.ballast.dns.history.HistoryView} is what it tells; {@link
 * io.ballast.dns.history.QuerySample} shows a few queries as they come.
 */
@NullMarked
package io.ballast.dns.history;

import org.jspecify.annotations.NullMarked;
