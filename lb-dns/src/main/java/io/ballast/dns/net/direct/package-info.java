/**
 * UDP by direct calls of the system calls {@code recvmmsg} and {@code sendmmsg}: one blocking thread and one
 * socket for each core and address, whole batches in native memory, no object for a datagram.
 *
 * <p>The foreign-function API is available from Java 22 on. Older versions contain only
 * {@link io.ballast.dns.net.direct.DirectUdp}, in a version that reports this. The other classes are in
 * {@code src/main/java22} and, in the jar, under {@code META-INF/versions/22}.
 */
@NullMarked
package io.ballast.dns.net.direct;

import org.jspecify.annotations.NullMarked;
