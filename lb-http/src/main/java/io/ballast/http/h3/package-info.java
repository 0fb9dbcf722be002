/**
 * QUIC for listeners with HTTP/3: {@link io.ballast.http.h3.QuicSockets} receives datagrams and accepts connections,
 * which the package {@code client} serves. The classes are loaded only if a listener has HTTP/3.
 */
@NullMarked
package io.ballast.http.h3;

import org.jspecify.annotations.NullMarked;
