/**
 * Datagrams, balanced in sessions by the client's address and port: {@link io.ballast.http.udp.UdpSessions} are those of one
 * socket that clients send to, {@code UdpSession} is one with its socket to the backend.
 */
@NullMarked
package io.ballast.http.udp;

import org.jspecify.annotations.NullMarked;
