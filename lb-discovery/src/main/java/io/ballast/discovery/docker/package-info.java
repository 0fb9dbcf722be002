/**
 * Backends in containers: {@link io.ballast.discovery.docker.DockerSource} queries a daemon over its Unix
 * socket. The package implements only the part of HTTP/1.1 that these queries need.
 */
@NullMarked
package io.ballast.discovery.docker;

import org.jspecify.annotations.NullMarked;
