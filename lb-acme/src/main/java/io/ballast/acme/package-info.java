/**
 * Certificates by ACME: orders and renews them on one thread, and stores them in the data directory, where the listeners
 * find them. Read first: {@link io.ballast.acme.Certificates}, {@link io.ballast.acme.schedule.Renewals} and {@link
 * io.ballast.acme.order.AcmeClient}.
 */
@NullMarked
package io.ballast.acme;

import org.jspecify.annotations.NullMarked;
