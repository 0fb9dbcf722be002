/**
 * TLS for listeners: {@link io.ballast.dns.net.tls.TlsContext} makes the handler of each connection from the identity
 * that its files hold, {@link io.ballast.dns.net.tls.TlsReload} looks whether they hold another one.
 */
@NullMarked
package io.ballast.dns.net.tls;

import org.jspecify.annotations.NullMarked;
