/**
 * Control messages: NOTIFY, UPDATE, zone transfer queries, and all signed messages (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8945">RFC 8945</a>). They are processed outside the answering threads:
 * {@link io.ballast.dns.control.NotifyUpdateDispatcher} queues them, verifies their signatures, and passes them to the
 * {@link io.ballast.dns.control.ControlHandler}s as {@link io.ballast.dns.control.ControlRequest}s. Messages that no
 * handler accepts are answered like plain queries. {@link io.ballast.dns.control.TsigKeys} are the keys of a
 * configuration.
 */
@NullMarked
package io.ballast.dns.control;

import org.jspecify.annotations.NullMarked;
