/**
 * PROXY protocol: {@link io.ballast.net.proxyprotocol.ProxyHeader} is the header in which a proxy identifies
 * the client of a connection. {@link io.ballast.net.proxyprotocol.ProxyHeaderReader} is the handler that
 * reads the header.
 */
@NullMarked
package io.ballast.net.proxyprotocol;

import org.jspecify.annotations.NullMarked;
