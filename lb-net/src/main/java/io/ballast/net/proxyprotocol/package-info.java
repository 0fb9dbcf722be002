/**
 * PROXY protocol: {@link io.ballast.net.proxyprotocol.ProxyHeader} is what a proxy says at the beginning of a connection
 * about the client it speaks for, {@link io.ballast.net.proxyprotocol.ProxyHeaderReader} the handler that reads it.
 */
@NullMarked
package io.ballast.net.proxyprotocol;

import org.jspecify.annotations.NullMarked;
