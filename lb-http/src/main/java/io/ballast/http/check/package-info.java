/**
 * Health checks over sockets. {@link io.ballast.http.check.SocketProbe} opens the connection and holds the deadline;
 * {@link io.ballast.http.check.TcpCheck}, {@link io.ballast.http.check.HttpCheck} and
 * {@link io.ballast.http.check.Http2Check} talk on it, and {@link io.ballast.http.check.HttpJudge} says what a response is
 * worth. {@link io.ballast.http.check.ServiceCheck} is the frame of checks in the protocols of databases, caches and mail servers.
 */
@NullMarked
package io.ballast.http.check;

import org.jspecify.annotations.NullMarked;
