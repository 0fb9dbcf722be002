/**
 * Messages that are more than plain queries: NOTIFY, UPDATE, queries for transfers, and all that is signed (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8945">RFC 8945</a>). They leave the thread that answers: {@link
 * io.ballast.dns.control.ControlDesk} takes them on, checks who has signed them, and gives them to the {@link
 * io.ballast.dns.control.ControlHandler}s as {@link io.ballast.dns.control.ControlRequest}s. What no handler wants is answered as
 * if it were plain. {@link io.ballast.dns.control.TsigKeys} are the keys of a configuration.
 */
@NullMarked
package io.ballast.dns.control;

import org.jspecify.annotations.NullMarked;
