/**
 * UDP by direct use of the system calls {@code recvmmsg} and {@code sendmmsg}. Each core and address has one
 * blocking thread and one socket. Whole batches stay in native memory, and no object is created for a
 * datagram.
 *
 * <p>The foreign-function API is available from Java 22 on. For older Java versions, this package contains
 * only {@link io.ballast.dns.net.direct.DirectUdp}, in a variant that reports that the API is unavailable.
 * The other classes are in {@code src/main/java22} and, in the jar, under {@code META-INF/versions/22}.
 */
@NullMarked
package io.ballast.dns.net.direct;

import org.jspecify.annotations.NullMarked;
