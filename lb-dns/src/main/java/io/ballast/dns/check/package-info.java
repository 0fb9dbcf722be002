/**
 * Health checks of type {@code dns}: {@link io.ballast.dns.check.DnsProbe} sends the query, {@link
 * io.ballast.dns.check.DnsCheckEvaluator} evaluates the response.
 */
@NullMarked
package io.ballast.dns.check;

import org.jspecify.annotations.NullMarked;
