/**
 * UDP by the system calls {@code recvmmsg} and {@code sendmmsg}, called directly: one blocking thread and one socket
 * for each core and address, whole batches in native memory, no object for a datagram.
 *
 * <p>The foreign-function API that this takes is there from Java 22 on. {@link io.ballast.dns.net.direct.DirectUdp}
 * is all that older ones see, in a version that says so; the rest lies in {@code src/main/java22} and, in the jar,
 * under {@code META-INF/versions/22}.
 */
@NullMarked
package io.ballast.dns.net.direct;

import org.jspecify.annotations.NullMarked;
