/**
 * Health checks over sockets. {@link io.ballast.http.check.SocketProbe} opens the connection and enforces the deadline.
 * {@link io.ballast.http.check.TcpCheck}, {@link io.ballast.http.check.HttpCheck} and {@link
 * io.ballast.http.check.Http2Check} implement the protocols, and {@link io.ballast.http.check.CheckResponseEvaluator}
 * evaluates HTTP responses. {@link io.ballast.http.check.ServiceCheck} is the base of checks in the protocols of
 * databases, caches and mail servers.
 */
@NullMarked
package io.ballast.http.check;

import org.jspecify.annotations.NullMarked;
