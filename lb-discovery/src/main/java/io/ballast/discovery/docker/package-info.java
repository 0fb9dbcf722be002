/**
 * Backends in containers: {@link io.ballast.discovery.docker.DockerSource} queries a daemon over its Unix
 * socket, with the part of HTTP/1.1 that this requires.
 */
@NullMarked
package io.ballast.discovery.docker;

import org.jspecify.annotations.NullMarked;
