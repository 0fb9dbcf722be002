/**
 * Balances TCP connections regardless of their protocol. {@link io.ballast.http.tcp.TcpSession} is a client's
 * connection and the connection to its backend.
 *
 * <p>Received buffers are forwarded without copying.
 */
@NullMarked
package io.ballast.http.tcp;

import org.jspecify.annotations.NullMarked;
