/**
 * TLS for listeners. A {@link io.ballast.net.tls.TlsIdentity} is what a server proves its name with, a certificate and its
 * key from PEM files; {@link io.ballast.net.tls.TlsIdentityFiles} says when the files hold another one. {@link
 * io.ballast.net.tls.TlsContext} makes the handler of each connection from it, {@link io.ballast.net.tls.TlsReload} looks
 * whether the files have changed.
 */
@NullMarked
package io.ballast.net.tls;

import org.jspecify.annotations.NullMarked;
