/**
 * Balances UDP datagrams; a session is identified by the client's address and port. {@link
 * io.ballast.http.udp.UdpSessions} are the sessions of one client-facing socket, {@code UdpSession} is one
 * session with its socket to the backend.
 */
@NullMarked
package io.ballast.http.udp;

import org.jspecify.annotations.NullMarked;
