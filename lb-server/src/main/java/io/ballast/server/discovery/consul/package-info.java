/** Backends of a service in Consul: {@link io.ballast.server.discovery.consul.ConsulSource}. */
@NullMarked
package io.ballast.server.discovery.consul;

import org.jspecify.annotations.NullMarked;
