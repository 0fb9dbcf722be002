/** Backends of a service in Consul: {@link io.ballast.discovery.consul.ConsulSource}. */
@NullMarked
package io.ballast.discovery.consul;

import org.jspecify.annotations.NullMarked;
