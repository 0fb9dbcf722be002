/**
 * TLS for listeners and for connections to backends. A {@link io.ballast.net.tls.TlsIdentity} is a
 * certificate and its key from PEM files; {@link io.ballast.net.tls.TlsIdentityFiles} reloads it.
 * {@link io.ballast.net.tls.TlsContext} creates the TLS handler of each connection from it;
 * {@link io.ballast.net.tls.ServerTls} selects one of several contexts by the client's SNI host.
 * {@link io.ballast.net.tls.ClientTls} is TLS for connections to backends.
 * {@link io.ballast.net.tls.TlsReload} checks files for changes, and
 * {@link io.ballast.net.tls.TlsCloseHandler} closes connections in an orderly way.
 */
@NullMarked
package io.ballast.net.tls;

import org.jspecify.annotations.NullMarked;
