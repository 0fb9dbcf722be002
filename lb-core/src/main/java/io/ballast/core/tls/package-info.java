/**
 * What a server proves its name with, from PEM files, for every frontend that speaks TLS: a {@link
 * io.ballast.core.tls.TlsIdentity} is a certificate with its key, a {@link io.ballast.core.tls.TlsIdentityFiles} says
 * when the files hold another one. Only the JDK is needed; contexts and engines are the frontends' own.
 */
@NullMarked
package io.ballast.core.tls;

import org.jspecify.annotations.NullMarked;
