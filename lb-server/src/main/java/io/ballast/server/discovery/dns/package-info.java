/**
 * Backends that name servers tell of: all addresses of a name ({@link io.ballast.server.discovery.dns.NamesSource}), or its services
 * ({@link io.ballast.server.discovery.dns.SrvSource}).
 */
@NullMarked
package io.ballast.server.discovery.dns;

import org.jspecify.annotations.NullMarked;
