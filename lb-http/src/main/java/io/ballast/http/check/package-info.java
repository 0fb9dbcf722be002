/**
 * Health checks over sockets. {@link io.ballast.http.check.SocketProbe} opens the connection and holds the deadline;
 * {@link io.ballast.http.check.TcpCheck}, {@link io.ballast.http.check.HttpCheck} and
 * {@link io.ballast.http.check.Http2Check} talk on it, and {@link io.ballast.http.check.HttpJudge} says what a response is
 * worth.
 */
@NullMarked
package io.ballast.http.check;

import org.jspecify.annotations.NullMarked;
