/**
 * Connections that are balanced whatever is spoken on them: {@link io.ballast.http.tcp.TcpSession} is a client's connection
 * and the one to its backend.
 *
 * <p>What arrives on one side leaves on the other as the buffers in which it came.
 */
@NullMarked
package io.ballast.http.tcp;

import org.jspecify.annotations.NullMarked;
