/**
 * Zone transfers to other servers. {@link io.ballast.dns.transfer.Transfers} handles the transfer queries of
 * a configuration (AXFR, <a href="https://datatracker.ietf.org/doc/html/rfc5936">RFC 5936</a>, and IXFR, <a
 * href="https://datatracker.ietf.org/doc/html/rfc1995">RFC 1995</a>). {@link
 * io.ballast.dns.transfer.Notifier} notifies such servers when a zone changes.
 */
@NullMarked
package io.ballast.dns.transfer;

import org.jspecify.annotations.NullMarked;
