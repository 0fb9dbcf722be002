/**
 * Backends from DNS: the addresses of a name ({@link io.ballast.discovery.dns.NamesSource}), or the targets
 * of its SRV records ({@link io.ballast.discovery.dns.SrvSource}).
 */
@NullMarked
package io.ballast.discovery.dns;

import org.jspecify.annotations.NullMarked;
