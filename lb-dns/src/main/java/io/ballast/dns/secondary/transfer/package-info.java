/**
 * Asks a primary for its version of a zone and takes it in: {@link io.ballast.dns.secondary.transfer.PrimaryConnection}
 * asks, and tells a {@link io.ballast.dns.secondary.transfer.TransferSink} what comes.
 */
@NullMarked
package io.ballast.dns.secondary.transfer;

import org.jspecify.annotations.NullMarked;
