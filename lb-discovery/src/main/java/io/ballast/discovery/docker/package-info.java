/**
 * Backends in containers: {@link io.ballast.discovery.docker.DockerSource} asks a daemon over its Unix socket, in as much of
 * HTTP/1.1 as that takes.
 */
@NullMarked
package io.ballast.discovery.docker;

import org.jspecify.annotations.NullMarked;
