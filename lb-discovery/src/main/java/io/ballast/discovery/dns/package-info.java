/**
 * Backends from DNS: all addresses of a name ({@link io.ballast.discovery.dns.NamesSource}), or its services
 * ({@link io.ballast.discovery.dns.SrvSource}).
 */
@NullMarked
package io.ballast.discovery.dns;

import org.jspecify.annotations.NullMarked;
