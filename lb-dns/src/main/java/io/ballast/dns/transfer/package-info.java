/**
 * Zones as a whole for other servers: {@link io.ballast.dns.transfer.Transfers} of a configuration handle queries for
 * them (AXFR, <a href="https://datatracker.ietf.org/doc/html/rfc5936">RFC 5936</a>, and IXFR, <a
 * href="https://datatracker.ietf.org/doc/html/rfc1995">RFC 1995</a>), and {@link io.ballast.dns.transfer.Notifier}
 * tells such servers when a zone changes.
 */
@NullMarked
package io.ballast.dns.transfer;

import org.jspecify.annotations.NullMarked;
