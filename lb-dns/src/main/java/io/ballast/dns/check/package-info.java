/** Health checks of type {@code dns}: {@link io.ballast.dns.check.DnsProbe} asks, {@link io.ballast.dns.check.Judgement} reads. */
@NullMarked
package io.ballast.dns.check;

import org.jspecify.annotations.NullMarked;
