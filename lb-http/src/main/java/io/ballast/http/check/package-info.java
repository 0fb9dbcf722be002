/**
 * Health checks over sockets. {@link io.ballast.http.check.SocketProbe} opens the connection and holds the deadline;
 * {@link io.ballast.http.check.HttpCheck} speaks HTTP on it.
 */
@NullMarked
package io.ballast.http.check;

import org.jspecify.annotations.NullMarked;
