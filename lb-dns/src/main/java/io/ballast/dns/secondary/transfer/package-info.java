/**
 * Transfers zones from primaries: {@link io.ballast.dns.secondary.transfer.PrimaryConnection} sends queries and
 * passes the records to a {@link io.ballast.dns.secondary.transfer.TransferSink}.
 */
@NullMarked
package io.ballast.dns.secondary.transfer;

import org.jspecify.annotations.NullMarked;
