/**
 * TLS for listeners and to backends. A {@link io.ballast.net.tls.TlsIdentity} is what a side proves its name with, a
 * certificate and its key from PEM files; {@link io.ballast.net.tls.TlsIdentityFiles} says when the files hold another one.
 * {@link io.ballast.net.tls.TlsContext} makes the handler of each connection from it, {@link
 * io.ballast.net.tls.ServerTls} chooses among several by the host that a client asks for. {@link
 * io.ballast.net.tls.ClientTls} is the other side, to backends. {@link io.ballast.net.tls.TlsReload} looks whether files
 * have changed, {@link io.ballast.net.tls.TlsEnd} ends connections.
 */
@NullMarked
package io.ballast.net.tls;

import org.jspecify.annotations.NullMarked;
